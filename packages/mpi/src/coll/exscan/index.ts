export { direct } from './direct.js'
export { linear } from './linear.js'
export { oneTwoThreeDoubling } from './one-two-three-doubling.js'
export { recursiveDoubling } from './recursive-doubling.js'
