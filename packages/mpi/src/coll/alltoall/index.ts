export { bruck } from './bruck.js'
export { direct } from './direct.js'
export { linear } from './linear.js'
export { pairwise } from './pairwise.js'
