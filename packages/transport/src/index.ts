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
export { twice } from './memory/twice.js'
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
export { preferring } from './choice/preferring.js'
export type { Preference } from './choice/preferring.js'
export type { PriorityOptions } from './choice/priorities.js'
export { ChoiceRecorder, describeDeviation, replayOf } from './choice/recorder.js'
export type { RecordedDeviation } from './choice/recorder.js'
export { misfitOf, misfitsOf, ScriptError } from './choice/misfits.js'
export { ChoicesSyntaxError, formatChoices, parseChoices } from './choice/replay.js'
export type { ChoiceDeviation } from './choice/replay.js'
export { choiceSource, firstCome, scripted, seeded } from './choice/sources.js'
export type { PrioritySchedule } from './choice/sources.js'
export {
  completionStatusName,
  completionStatusNames,
  completionStatusTexts,
} from './wire/completion-status.js'
export { asynchronousEventNames } from './wire/asynchronous-event.js'
export type { AsynchronousEventName } from './wire/asynchronous-event.js'
export type { ServiceNotOffered, ServiceType } from './wire/service-type.js'
export { MULTICAST_NUMBER } from './wire/multicast-attachment.js'
export { GRH_BYTES } from './wire/address-handle.js'
export type { CompletionStatus } from './wire/completion-status.js'
export type { ErrorCause } from './wire/error-cause.js'
export type { CompletionOpcode, Opcode } from './wire/opcode.js'
export type { QueuePairState } from './wire/queue-pair-state.js'
export { capture } from './capture/capture.js'
export type { Capture, CaptureOptions } from './capture/capture.js'
export { joinCapture } from './capture/join-capture.js'
export { directFabric } from './fabric/direct.js'
export { RECEIVER_NOT_READY } from './fabric/fabric.js'
export type { Fabric, RequestDescription, Responder } from './fabric/fabric.js'
export { ChosenFaults, describeFault, NETWORK_FAULTS } from './fabric/faults/chosen-faults.js'
export type { NetworkFault, StruckFault } from './fabric/faults/chosen-faults.js'
export { FaultPlan } from './fabric/faults/fault-plan.js'
export type { FaultMatch, FaultRule, StateFault, Transmission } from './fabric/faults/fault.js'
export type { FaultJudge, TransmissionFault } from './fabric/faults/fault.js'
export { FaultyFabric } from './fabric/faults/faulty-fabric.js'
export { describePacket, packetBytes } from './fabric/packets/packet.js'
export type { Packet } from './fabric/packets/packet.js'
export { PacketFabric } from './fabric/packets/packet-fabric.js'
export type { PacketFabricOptions } from './fabric/packets/packet-fabric.js'
export type { PacketFate, PacketNetwork, PacketTap } from './fabric/packets/network.js'
export { createHcaTable, hcaAddress, hcaCount } from './hca/hca-table.js'
export type { QueuePairChange } from './hca/queue-pair/modify-queue-pair.js'
export { operationsOf } from './hca/operations.js'
export { formatGlobalIdentifier, parseGlobalIdentifier } from './hca/datagram/global-identifier.js'
export {
  findTransition,
  reliableConnectedTransitions,
  transitionTables,
  unreliableConnectedTransitions,
  unreliableDatagramTransitions,
} from './hca/queue-pair/transitions.js'
export type {
  QueuePairAttribute,
  QueuePairAttributes,
  Transition,
} from './hca/queue-pair/transitions.js'
export { VerbsError } from './hca/verbs-error.js'
export type { VerbsErrorCode } from './hca/verbs-error.js'
export { Access } from './verbs/access.js'
export type { AccessFlags } from './verbs/access.js'
export { AddressHandle, replyAddress } from './verbs/address-handle.js'
export type { AddressAttributes, GlobalRoute } from './verbs/address-handle.js'
export { AsynchronousEvent } from './verbs/asynchronous-events.js'
export type { AsynchronousEvents } from './verbs/asynchronous-events.js'
export { CompletionChannel } from './verbs/completion-channel.js'
export { ConnectionEvent, PRIVATE_DATA_MAX } from './verbs/connection/connection-event.js'
export type {
  ConnectionEventFacts,
  ConnectionEventName,
  ConnectionParameters,
} from './verbs/connection/connection-event.js'
export { ConnectionIdentifier } from './verbs/connection/connection-identifier.js'
export { DATAGRAM_QUEUE_KEY } from './verbs/connection/connection-identifier.js'
export type { PortSpace, ServiceAddress } from './verbs/connection/connection-identifier.js'
export { EventChannel } from './verbs/connection/event-channel.js'
export {
  connectEndpoints,
  describeEndpoint,
  formatEndpoint,
  parseEndpoint,
} from './verbs/connection/endpoint-exchange.js'
export type { Endpoint } from './verbs/connection/endpoint-exchange.js'
export { CompletionQueue } from './verbs/completion-queue.js'
export type { AtomicCapability, DataInOrder } from './verbs/device-attributes.js'
export type { DeviceAttributes, DeviceCapability } from './verbs/device-attributes.js'
export { DEVICE_LIMITS } from './verbs/device-limits.js'
export { DeviceMemory } from './verbs/device-memory.js'
export { MemoryWindow } from './verbs/memory-window.js'
export type { WindowType } from './verbs/memory-window.js'
export { LANE_SPEEDS } from './verbs/port-attributes.js'
export type { LaneSpeed, PortAttributes, PortState } from './verbs/port-attributes.js'
export { RequestBuilder } from './verbs/request-builder.js'
export type { BuilderOptions, RemoteRange } from './verbs/request-builder.js'
export { Device } from './verbs/device.js'
export type { ListenOptions } from './verbs/device.js'
export { CheckedMapping } from './verbs/mapping.js'
export { MemoryRegion } from './verbs/memory-region.js'
export type { RegionChange } from './verbs/memory-region.js'
export { ProtectionDomain } from './verbs/protection-domain.js'
export { QueuePair } from './verbs/queue-pair.js'
export type { BadRequest, FirstError, QueuePairOptions } from './verbs/queue-pair.js'
export type { SendCapacities } from './verbs/send-capacities.js'
export { SharedReceiveQueue } from './verbs/shared-receive-queue.js'
export { WorkCompletion } from './verbs/work-completion.js'
export { Post, Send } from './verbs/work-request.js'
export type { BindRequest, DatagramDestination, FlushRequest } from './verbs/work-request.js'
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
