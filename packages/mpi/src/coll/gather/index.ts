export { binomialTree } from './binomial-tree.js'
export { direct } from './direct.js'
export { linear } from './linear.js'
