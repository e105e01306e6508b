/** One line of a time-independent trace, in bytes. */
export type Action = Place & What

export interface Place {
  readonly file: string
  readonly line: number
  /** As it stands there. */
  readonly text: string
}

export type What =
  | {
      readonly does: 'send' | 'receive'
      readonly peer: number
      readonly tag: number
      readonly bytes: number
      /** Whether the rank goes on at once, until a wait. */
      readonly goesOn: boolean
    }
  /** For a message of `source` to `dest`; of the one that began last when left out. */
  | { readonly does: 'wait' | 'test'; readonly message: Message | undefined }
  | { readonly does: 'wait all' }
  | { readonly does: 'compute'; readonly flops: number }
  | { readonly does: 'sleep'; readonly seconds: number }
  | Collective

export interface Message {
  readonly source: number
  readonly dest: number
  readonly tag: number
}

/** `flops` come after it. */
export type Collective = {
  readonly does: 'collective'
  readonly root: number
  readonly flops: number
} & (
  | { readonly collective: 'barrier' }
  /** Bytes of the whole vector, or of one block. */
  | {
      readonly collective:
        | ('bcast' | 'reduce' | 'allreduce' | 'scan' | 'exscan')
        | ('gather' | 'allgather' | 'scatter' | 'alltoall')
      readonly bytes: number
    }
  /** Bytes of each rank's block. */
  | {
      readonly collective: 'gatherv' | 'allgatherv' | 'scatterv' | 'reducescatter'
      readonly counts: readonly number[]
    }
  /** Bytes that go to each rank, and come from each. */
  | {
      readonly collective: 'alltoallv'
      readonly sent: readonly number[]
      readonly received: readonly number[]
    }
)

/** What each rank does, in order. */
export interface Trace {
  readonly name: string
  readonly ranks: readonly (readonly Action[])[]
}
