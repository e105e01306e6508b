import type { GoalRecorder } from '../goal/goal-recorder.js'
import type { Flights } from './flights.js'
import type { VirtualKernel, VirtualReceiver } from './virtual-kernel.js'

/** What a rank's endpoint asks of the kernel: of the kernel itself, or across threads. */
export interface KernelPort extends Pick<
  VirtualKernel,
  'send' | 'fetch' | 'finish' | 'turnTo' | 'landed' | 'release' | 'near'
> {
  readonly flights: Flights
  readonly goal: Pick<GoalRecorder, 'send' | 'receive' | 'ended'> | undefined
  add(receiver: VirtualReceiver): void
}
