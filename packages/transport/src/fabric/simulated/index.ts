// The face of @commworld/transport/simulated: re-exports only. Apart from the package's main entry,
// so that ranks on the direct fabric load none of it.

export { EventLog } from './kernel/event-log.js'
export { EventQueue } from './kernel/event-queue.js'
export { formatDuration, picoseconds, PS_PER_NS, PS_PER_S, PS_PER_US } from './kernel/time.js'
