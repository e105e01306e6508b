export type { Reduction } from './definition.js'
export { Op, type ValueIndex } from './op.js'
export {
  BAND,
  BOR,
  BXOR,
  LAND,
  LOR,
  LXOR,
  MAX,
  MAXLOC,
  MIN,
  MINLOC,
  predefined,
  PROD,
  SUM,
} from './predefined.js'
