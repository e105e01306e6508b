/** What an operation of a schedule does. */
export const CALC = 0
export const SEND = 1
export const RECEIVE = 2

export interface GoalOperation {
  readonly kind: typeof CALC | typeof SEND | typeof RECEIVE
  /** -1 of a receive from any rank; 0 of computing. */
  readonly peer: number
  /** -1 of a receive of any tag. */
  readonly tag: number
  readonly bytes: number
  readonly ns: number
  /** Line in the file, for reports. */
  readonly line: number
  readonly label: string
  /** Operations that wait for its end, and for its start. */
  readonly beforeEnd: number[]
  readonly beforeStart: number[]
  /** How many it waits for itself. */
  needs: number
}

/** A GOAL schedule: of each rank operations, and which come before which. */
export interface GoalSchedule {
  readonly name: string
  readonly ranks: readonly (readonly GoalOperation[])[]
}
