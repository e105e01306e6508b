import type { OperationRecord } from '../record/operation.js'
import type { RankSnapshot, Wait } from '../record/rank-snapshot.js'

/** Where in the user's source a call was made. */

/** Whether a frame's file belongs to this library or to Node itself, so that it is passed over. */
export type IsLibrary = (file: string) => boolean

/** Frames of Node, and of the built package wherever it is installed. */
export const isLibraryFrame: IsLibrary = (file) =>
  file.startsWith('node:') ||
  file.startsWith('internal/') ||
  file.startsWith('wasm:') ||
  /[\\/](node_modules[\\/])?@commworld[\\/](mpi|transport|testing)[\\/]/.test(file) ||
  /[\\/]packages[\\/](mpi|transport|testing)[\\/](dist|src)[\\/]/.test(file)

const FRAME = /^\s*at (?:.*\()?((?:file:|node:|wasm:)?[^()]*?):(\d+):(\d+)\)?\s*$/

/**
 * The first frame outside of the library, as `file:line:column`, of a stack text that is mapped to
 * source positions already; undefined when there is none.
 *
 * @example
 * callSite('Error\n    at send (node:x:1:1)\n    at main (file:///home/a/swap.ts:18:9)')
 * // '/home/a/swap.ts:18:9'
 */
export function callSite(stack: string, isLibrary: IsLibrary = isLibraryFrame): string | undefined {
  for (const line of stack.split('\n')) {
    const [, file, row, column] = FRAME.exec(line) ?? []
    if (file === undefined || file === '' || file === '<anonymous>' || isLibrary(file)) continue
    return `${plainPath(file)}:${row}:${column}`
  }
  return undefined
}

function plainPath(file: string): string {
  if (!file.startsWith('file://')) return file.replace(/^async /, '')
  const path = file.slice('file://'.length)
  try {
    return decodeURIComponent(path)
  } catch {
    return path
  }
}

/**
 * A site as a report shows it: without its column, relative to `base` when it lies below.
 *
 * @example
 * shortSite('/home/a/course/swap.ts:18:9', '/home/a/course') // 'swap.ts:18'
 */
export function shortSite(site: string, base?: string): string {
  const place = site.replace(/^(.*:\d+):\d+$/, '$1')
  if (base === undefined) return place
  const folder = base.endsWith('/') ? base : `${base}/`
  return place.startsWith(folder) ? place.slice(folder.length) : place
}

/** From a raw stack text to the site it shows, or undefined. */
export type Locate = (stack: string) => string | undefined

/** The operation with its stack text replaced by the site it shows. */
export function locateOperation(operation: OperationRecord, locate: Locate): OperationRecord {
  const { site: stack, receiving, ...rest } = operation
  const located: OperationRecord = rest
  const site = stack === undefined ? undefined : locate(stack)
  if (site !== undefined) located.site = site
  if (receiving) located.receiving = locateOperation(receiving, locate)
  return located
}

/** The same for a wait of the graph. */
export function locateWait<W extends Wait>(wait: W, locate: Locate): W {
  const arcs = wait.arcs.map((arc) => ({
    ...arc,
    operation: locateOperation(arc.operation, locate),
  }))
  return { ...wait, arcs }
}

/** The same for all a rank told; what it is blocked in takes the site of the rank's own stack. */
export function locateSnapshot(snapshot: RankSnapshot, locate: Locate): RankSnapshot {
  const { stack, operation, ...rest } = snapshot
  const all = (operations: readonly OperationRecord[]): OperationRecord[] =>
    operations.map((one) => locateOperation(one, locate))
  const located: RankSnapshot = {
    ...rest,
    waits: locateWait(snapshot.waits, locate),
    posted: all(snapshot.posted),
    unexpected: all(snapshot.unexpected),
    pendingSends: all(snapshot.pendingSends),
    openRequests: all(snapshot.openRequests),
    recent: all(snapshot.recent),
  }
  const site = stack === undefined ? undefined : locate(stack)
  if (site !== undefined) located.stack = site
  if (operation) {
    located.operation = locateOperation(operation, locate)
    if (site !== undefined) located.operation.site = site
  }
  return located
}
