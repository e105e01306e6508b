export { direct } from './direct.js'
export { linear } from './linear.js'
export { recursiveDoubling } from './recursive-doubling.js'
