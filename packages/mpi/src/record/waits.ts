import type { Arc, Begun, Wait } from './rank-snapshot.js'

/** What goes on with the first of several waits: at once when one of them lacks nothing any more. */
export function firstOf(waits: readonly Wait[]): Wait {
  if (waits.some(({ mode, arcs }) => mode === 'and' && arcs.length === 0)) {
    return { mode: 'and', arcs: [] }
  }
  return { mode: 'or', arcs: waits.flatMap(({ arcs }) => arcs) }
}

/** An arc to a peer in a collective, as far as it can be told now whether the peer has begun it. */
export function arcInto(
  arc: Omit<Arc, 'begun' | 'through'>,
  begun: Begun,
  i32: Int32Array,
  everybody: readonly number[],
): Arc {
  const hasBegun = ((Atomics.load(i32, begun.word) - begun.number) | 0) > 0
  return { ...arc, begun, ...(hasBegun ? { through: begun.members ?? everybody } : {}) }
}
