// The public face of @commworld/transport: re-exports only.

export {
  DoubleFree,
  MemoryError,
  MemoryUnavailable,
  NotAllocated,
  OutOfMemory,
} from './memory/errors.js'
export { Heap } from './memory/heap.js'
export { ELEMENT_CODES, REDUCTIONS, reductionKernel } from './memory/kernels.js'
export type {
  ElementCode,
  Kernels,
  MoveKernels,
  Reduction,
  ReductionKernel,
} from './memory/kernels.js'
export { MemoryPool } from './memory/memory-pool.js'
export type { MemoryPoolOptions } from './memory/memory-pool.js'
export {
  WORLD_MEMORY_BYTES_MAX,
  WORLD_MEMORY_BYTES_MIN,
  WorldMemory,
} from './memory/world-memory.js'
export type { SharedWorldMemory } from './memory/world-memory.js'
export * from './wire/world-header.js'
export { CHOICE_STATE_WORDS, joinChoices, startChoices } from './choice/choice-stream.js'
export type { ChoiceSource, ChoiceStream, Identify } from './choice/choice-stream.js'
export { chainOf, pct, pctcp, receiverOf, senderOf } from './choice/priorities.js'
export type { PriorityOptions } from './choice/priorities.js'
export { ChoiceRecorder, describeDeviation, replayOf } from './choice/recorder.js'
export type { RecordedDeviation } from './choice/recorder.js'
export { ChoicesSyntaxError, formatChoices, parseChoices } from './choice/replay.js'
export type { ChoiceDeviation } from './choice/replay.js'
export { choiceSource, firstCome, scripted, seeded } from './choice/sources.js'
export type { PrioritySchedule } from './choice/sources.js'
export { completionStatusName, completionStatusNames } from './wire/completion-status.js'
export type { CompletionStatus } from './wire/completion-status.js'
export type { ErrorCause } from './wire/error-cause.js'
export type { CompletionOpcode, Opcode } from './wire/opcode.js'
export type { QueuePairState } from './wire/queue-pair-state.js'
export { directFabric } from './fabric/direct.js'
export { RECEIVER_NOT_READY } from './fabric/fabric.js'
export type { Fabric, Responder } from './fabric/fabric.js'
export { createHcaTable, hcaAddress, hcaCount } from './hca/hca-table.js'
export type { QueuePairChange } from './hca/modify-queue-pair.js'
export { findTransition, reliableConnectedTransitions } from './hca/transitions.js'
export type { QueuePairAttribute, QueuePairAttributes, Transition } from './hca/transitions.js'
export { VerbsError } from './hca/verbs-error.js'
export type { VerbsErrorCode } from './hca/verbs-error.js'
export { Access } from './verbs/access.js'
export type { AccessFlags } from './verbs/access.js'
export { CompletionQueue } from './verbs/completion-queue.js'
export { Device } from './verbs/device.js'
export type { ListenOptions } from './verbs/device.js'
export { CheckedMapping } from './verbs/mapping.js'
export { MemoryRegion } from './verbs/memory-region.js'
export { ProtectionDomain } from './verbs/protection-domain.js'
export { QueuePair } from './verbs/queue-pair.js'
export type { FirstError, QueuePairOptions } from './verbs/queue-pair.js'
export type { SendCapacities } from './verbs/send-capacities.js'
export { SharedReceiveQueue } from './verbs/shared-receive-queue.js'
export { WorkCompletion } from './verbs/work-completion.js'
export { Post, Send } from './verbs/work-request.js'
export type { PostCode, PostStatus, ReceiveRequest } from './verbs/work-request.js'
export type { ScatterGatherElement, SendRequest } from './verbs/work-request.js'
export {
  DOORBELL_BYTES,
  doorbellCount,
  markAsleep,
  markAwake,
  ringDoorbell,
  sleepOnDoorbell,
  wakeOwner,
} from './ring/doorbell.js'
export {
  MESSAGE_HEADER_BYTES,
  messageRingBytes,
  messageRingPayloadMax,
  MessageRingReceiver,
  MessageRingSender,
} from './ring/message-ring.js'
