export { packElements, unpackElements } from './copy-elements.js'
export { Datatype } from './datatype.js'
export { isDetached } from './detached.js'
export type { Flat, Strided } from './flat.js'
export {
  arrayOf,
  BIGINT64,
  BIGUINT64,
  bytesOf,
  elementKinds,
  FLOAT32,
  FLOAT64,
  freshArray,
  INT16,
  INT32,
  INT8,
  kindOf,
  nameOf,
  NO_KIND,
  UINT16,
  UINT32,
  UINT8,
  UINT8_CLAMPED,
  type ElementKind,
  type TypedArray,
} from './kinds.js'
export type { Layout, Span } from './layout.js'
export { checkUsable, isPlain, resolveMemory, type Memory, type ResolvedMemory } from './memory.js'
export { overlapsItself } from './overlap.js'
export { spanOf, spanOfAll, TouchedElements } from './touched.js'
export { countOf, elementsIn, elementsOf } from './received-count.js'
