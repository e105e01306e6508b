import type { Wrong } from './wrong.js'
import { inPlace, lengths, listed, memory } from './wrong-memory.js'
import { algorithms, others, reductions, roots, values } from './wrong-values.js'

/** Calls that are refused in every form, by what is wrong. */
export const wrongCalls: Readonly<Record<string, readonly Wrong[]>> = {
  lengths,
  listed,
  memory,
  inPlace,
  roots,
  reductions,
  values,
  algorithms,
}

/** Those that are wrong because of their form. */
export const wrongForms = others
