export type { CartOptions } from './create-cart.js'
export { Maker, operationOf, type MakingForm, type NotedCall, type Order } from './maker.js'
export type { SplitOptions, SplitTypeOptions } from './split.js'
