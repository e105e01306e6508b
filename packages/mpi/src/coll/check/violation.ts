/** What kind of rule an algorithm has broken. */
export type ViolationKind =
  | 'wrong result'
  | 'different trees'
  | 'input written'
  | 'nothing there'
  | 'lengths differ'
  | 'message left'
  | 'deadlock'
  | 'race'
  | 'too early'
  | 'rounds'
  | 'volume'
  | 'out of range'
  | 'out of reach'

/** The first rule that a run has broken, with where. */
export interface Violation {
  readonly kind: ViolationKind
  readonly size: number
  readonly root: number
  readonly blocks: number
  readonly radix: number
  readonly slots: boolean
  readonly inPlace: boolean
  readonly rank: number | undefined
  /** A sentence. */
  readonly text: string
}

/** Thrown within a simulation, caught at its edge. */
export class Broken extends Error {
  readonly kind: ViolationKind
  readonly rank: number | undefined

  constructor(kind: ViolationKind, rank: number | undefined, text: string) {
    super(text)
    this.kind = kind
    this.rank = rank
  }
}
