import type { OperationRecord } from '../record/operation.js'
import type { FinalizeFacts } from '../record/finalize-facts.js'
import type { RankSnapshot, Wait } from '../record/rank-snapshot.js'

/** Where in the user's source a call was made. */

/** Whether a frame's file (a path or an address) belongs to this library or to Node itself. */
export type IsLibrary = (file: string) => boolean

const OF_NODE = /^(node|wasm|internal)[:/]/
const INSTALLED = /[\\/]@commworld[\\/](mpi|transport|testing)[\\/]/

/**
 * Frames of Node, of the installed packages, and of whatever lies below these folders.
 *
 * @param folders absolute paths, such as the one of the built package when it is linked
 */
export function libraryIn(folders: readonly string[] = []): IsLibrary {
  const below = folders.map((folder) => (folder.endsWith('/') ? folder : `${folder}/`))
  return (file) => {
    if (OF_NODE.test(file)) return true
    const path = plainPath(file)
    return INSTALLED.test(path) || below.some((folder) => path.startsWith(folder))
  }
}

/** The file, line and column of one line of a stack text; undefined for any other line. */
export function frameOf(line: string): { file: string; line: number; column: number } | undefined {
  const [, file, row, column] = /^\s*at (?:.*\()?([^()]*?):(\d+):(\d+)\)?\s*$/.exec(line) ?? []
  if (file === undefined || file === '' || file === '<anonymous>') return undefined
  return { file: file.replace(/^async /, ''), line: Number(row), column: Number(column) }
}

/**
 * The first frame outside of the library, as `file:line:column`, of a stack text that is mapped to
 * source positions already; undefined when there is none.
 *
 * @example
 * callSite('Error\n    at send (node:x:1:1)\n    at main (file:///home/a/swap.ts:18:9)')
 * // '/home/a/swap.ts:18:9'
 */
export function callSite(stack: string, isLibrary: IsLibrary = libraryIn()): string | undefined {
  for (const text of stack.split('\n')) {
    const frame = frameOf(text)
    if (frame === undefined || isLibrary(frame.file)) continue
    return `${plainPath(frame.file)}:${frame.line}:${frame.column}`
  }
  return undefined
}

function plainPath(file: string): string {
  if (!file.startsWith('file://')) return file
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
  const place = plainPath(site).replace(/^(.*:\d+):\d+$/, '$1')
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

/** The same for what is left over at finalize. */
export function locateFacts(facts: FinalizeFacts, locate: Locate): FinalizeFacts {
  const within = <T extends { operation: OperationRecord }>(one: T): T => ({
    ...one,
    operation: locateOperation(one.operation, locate),
  })
  return {
    ...facts,
    openRequests: facts.openRequests.map(within),
    failedRequests: facts.failedRequests.map(within),
    unreceived: facts.unreceived.map((one) => locateOperation(one, locate)),
  }
}
