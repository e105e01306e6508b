import { HCA_PORT_STATE } from '../../wire/hca-block.js'

const PORT_ACTIVE = 4
const NEVER_OPENED = 0

/** Whether both ports let data pass; a port that was never opened has not failed either. */
export function isPathOpen(i32: Int32Array, near: number, far: number): boolean {
  return isOpen(i32, near) && isOpen(i32, far)
}

function isOpen(i32: Int32Array, block: number): boolean {
  const state = Atomics.load(i32, (block + HCA_PORT_STATE) >>> 2) // set by any thread
  return state === PORT_ACTIVE || state === NEVER_OPENED
}
