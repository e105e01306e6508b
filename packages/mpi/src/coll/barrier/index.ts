export { direct } from './direct.js'
export { dissemination } from './dissemination.js'
export { tree } from './tree.js'
