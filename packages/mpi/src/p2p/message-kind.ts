import { nameOf } from '../datatype/kinds.js'

/**
 * What a message is, in one byte of its header. Below 16 it is raw memory of an element kind; from
 * 16 on a value: a number or a bigint of 64 bits as eight raw bytes, or a serialised value.
 */
export const NUMBER = 16
export const BIGINT = 17
/** Serialised by msgpack: a tree of plain data. */
export const PACKED_VALUE = 18
/** Serialised by the structured clone algorithm: cycles, -0, holes and the like. */
export const CLONED_VALUE = 19
/** No payload: barriers and the like. */
export const EMPTY = 20
/** Serialised by msgpack, with Maps, references and the shapes of records. */
export const GRAPH_VALUE = 21

export function isElementKind(kind: number): boolean {
  return kind < NUMBER
}

/** How reports and errors call it. */
export function nameOfMessageKind(kind: number): string {
  switch (kind) {
    case NUMBER:
      return 'number'
    case BIGINT:
      return 'bigint'
    case PACKED_VALUE:
    case CLONED_VALUE:
    case GRAPH_VALUE:
      return 'value'
    case EMPTY:
      return 'nothing'
    default:
      return nameOf(kind)
  }
}
