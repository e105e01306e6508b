import type { TravellingError } from '../../errors/index.js'

/** Why a job ended; the first reason counts. */
export type JobEnd =
  | { readonly kind: 'finished' }
  /** A rank threw, or could not start its program; undefined when it is not known which. */
  | { readonly kind: 'failed'; readonly rank: number | undefined; readonly error: TravellingError }
  | { readonly kind: 'exit'; readonly rank: number; readonly code: number; readonly stack: string }
  | { readonly kind: 'abort'; readonly rank: number; readonly code: number; readonly stack: string }
  /** These ranks can never continue. */
  | { readonly kind: 'deadlock'; readonly ranks: readonly number[] }
  /** A rank's event loop ran empty, so that its main() can never return. */
  | { readonly kind: 'silent'; readonly rank: number }
  | { readonly kind: 'heap'; readonly rank: number }
  /** A thread ended in a way that only a mistake in this library explains. */
  | { readonly kind: 'internal'; readonly rank: number; readonly error: TravellingError }
  | { readonly kind: 'timeout'; readonly seconds: number }
  | { readonly kind: 'signal'; readonly signal: 'SIGINT' | 'SIGTERM' }
  /** The reader of the output has gone. */
  | { readonly kind: 'closed' }
