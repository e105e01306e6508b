/** One small fault: one text of one source file, replaced. */
export interface Mutant {
  /** What goes wrong, in words. */
  readonly name: string
  /** From the root of the repository. */
  readonly file: string
  /** Stands in the file exactly once; more of the line than changes, if it must. */
  readonly find: string
  readonly replace: string
  /** Which tests look for it, by their name in `suites`. */
  readonly suite: SuiteName
  /** Why no test can tell it from what is right, where that is so. */
  readonly equivalent?: string
}

/** Makes mutants of one file. */
export function mutantsOf(file: string, suite: SuiteName) {
  return (name: string, find: string, replace: string, equivalent?: string): Mutant => {
    return { name, file, find, replace, suite, ...(equivalent !== undefined && { equivalent }) }
  }
}

/** Tests of the kit and of the packages that run on one thread, and so in a bundle. */
export const suites = {
  matching: [
    'packages/mpi/test/p2p/matching/envelope-table.test.ts',
    'packages/mpi/test/p2p/matching/queues.test.ts',
    'packages/testing/test/collectives.test.ts',
  ],
  messages: ['packages/testing/test/protocols.test.ts', 'packages/mpi/test/messages/local.test.ts'],
  collectives: [
    'packages/testing/test/conformance/known.test.ts',
    'packages/testing/test/under-way.test.ts',
    'packages/testing/test/known-bugs-of-programs.test.ts',
    'packages/testing/test/conformance/flight.test.ts',
    'packages/testing/test/conformance/coroutines.test.ts',
  ],
  hca: ['packages/transport/test/hca/interleaving.test.ts'],
  verbs: [
    'packages/transport/test/verbs/queue-pair-model.test.ts',
    'packages/transport/test/verbs/traffic.test.ts',
    'packages/transport/test/verbs/faults.test.ts',
    'packages/transport/test/verbs/rights.test.ts',
    'packages/transport/test/verbs/queue-pair.test.ts',
    'packages/transport/test/verbs/objects.test.ts',
  ],
  rings: [
    'packages/transport/test/ring/completion-ring.test.ts',
    'packages/transport/test/ring/message-ring.test.ts',
    'packages/transport/test/ring/ready-list.test.ts',
    'packages/transport/test/ring/receive-queue.test.ts',
    'packages/transport/test/ring/waiter-list.test.ts',
    'packages/transport/test/ring/work-queue.test.ts',
    'packages/transport/test/ring/memory-order.test.ts',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>

export type SuiteName = keyof typeof suites
