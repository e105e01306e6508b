import { bytesOf, type ElementKind } from './kinds.js'
import type { Datatype } from './datatype.js'

/** Elements that a datatype (or single elements) makes of `count` items. */
export function elementsOf(datatype: Datatype | undefined, count: number): number {
  return datatype === undefined ? count : datatype.layout.size * count
}

/** Elements in a message of so many bytes. MPI 4.1, 5.1.11 (MPI_Get_elements). */
export function elementsIn(bytes: number, kind: ElementKind): number {
  return bytes / bytesOf(kind)
}

/**
 * Whole items of a datatype in a message of so many bytes; undefined when the last one is only there in
 * part. MPI 4.1, 3.2.5 (MPI_Get_count).
 */
export function countOf(bytes: number, kind: ElementKind, datatype?: Datatype): number | undefined {
  const itemBytes = bytesOf(kind) * elementsOf(datatype, 1)
  if (itemBytes === 0) return bytes === 0 ? 0 : undefined
  return bytes % itemBytes === 0 ? bytes / itemBytes : undefined
}
