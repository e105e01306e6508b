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
export type { ChoiceSource, ChoiceStream } from './choice/choice-stream.js'
export { ChoiceRecorder, describeDeviation, replayOf } from './choice/recorder.js'
export type { RecordedDeviation } from './choice/recorder.js'
export { ChoicesSyntaxError, formatChoices, parseChoices } from './choice/replay.js'
export type { ChoiceDeviation } from './choice/replay.js'
export { choiceSource, firstCome, scripted, seeded } from './choice/sources.js'
