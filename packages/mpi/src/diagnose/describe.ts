import { COLLECTIVE_NAMES, COMPLETION_NAMES, type OperationRecord } from '../record/operation.js'

/** Operations, ranks and payloads in words. */

const collectives: ReadonlySet<string> = new Set(COLLECTIVE_NAMES)
const completions: ReadonlySet<string> = new Set(COMPLETION_NAMES)

export function isCollective(operation: OperationRecord): boolean {
  return collectives.has(operation.name)
}

export function isCompletion(operation: OperationRecord): boolean {
  return completions.has(operation.name)
}

/** Whether it takes or looks at a message: `recv`, `irecvInto`, `mrecv`, `probe`, ... */
export function isReceive(operation: OperationRecord): boolean {
  return /recv|probe/.test(operation.name) && !operation.name.includes('send')
}

/** Whether it only gives a message: `send`, `issend`, ... */
export function isSend(operation: OperationRecord): boolean {
  return operation.name.includes('send') && !operation.name.includes('recv')
}

/**
 * The call as the program would write it.
 *
 * @example
 * describeCall(operation) // 'recv(src 1, tag 7, world)'
 */
export function describeCall(operation: OperationRecord): string {
  if (operation.name === 'finalize') return 'end of main()'
  if (operation.name === 'await') return 'await'
  if (isCompletion(operation)) return `${operation.name}()`
  return `${operation.name}(${argumentsOf(operation).join(', ')})`
}

function argumentsOf(operation: OperationRecord): string[] {
  if (isCollective(operation)) return collectiveArguments(operation)
  const words = envelopeOf(operation, isReceive(operation) ? 'src' : 'dest')
  if (operation.receiving) words.push(...envelopeOf(operation.receiving, 'src'))
  const payload = isReceive(operation) ? '' : describePayload(operation)
  if (payload) words.push(payload)
  return [...words, operation.communicator]
}

function envelopeOf(operation: OperationRecord, role: 'src' | 'dest'): string[] {
  const words: string[] = []
  if (operation.peer !== undefined) words.push(`${role} ${operation.peer}`)
  if (operation.tag !== undefined) words.push(`tag ${operation.tag}`)
  return words
}

function collectiveArguments(operation: OperationRecord): string[] {
  const words: string[] = []
  if (operation.reduction !== undefined) words.push(operation.reduction)
  if (operation.root !== undefined) words.push(`root ${operation.root}`)
  return [...words, operation.communicator]
}

/** What a message carries: `100 x float64`, `a value of 48 bytes`; empty when unknown. */
export function describePayload(operation: OperationRecord): string {
  const { kind, count, bytes } = operation
  if (kind === 'number' || kind === 'bigint') return `a ${kind}`
  if (kind !== undefined && kind !== 'value' && count !== undefined) return `${count} x ${kind}`
  if (bytes === undefined) return kind === 'value' ? 'a value' : ''
  return kind === 'value' ? `a value of ${plural(bytes, 'byte')}` : plural(bytes, 'byte')
}

export function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`
}

/** `0`, `0 and 1`, `0, 2 and 5`, `0-7`, `0-7 and 12`. */
export function listOf(ranks: readonly number[]): string {
  const parts: string[] = []
  const sorted = [...new Set(ranks)].sort((a, b) => a - b)
  for (let from = 0; from < sorted.length;) {
    const first = sorted[from] as number
    let length = 1
    while (sorted[from + length] === first + length) length++
    const run = sorted.slice(from, from + length)
    if (length > 2) parts.push(`${first}-${run.at(-1)}`)
    else parts.push(...run.map(String))
    from += length
  }
  return parts.length < 2 ? parts.join('') : `${parts.slice(0, -1).join(', ')} and ${parts.at(-1)}`
}

/** `rank 3`, `ranks 0 and 1`. */
export function ranksOf(ranks: readonly number[]): string {
  return `${new Set(ranks).size === 1 ? 'rank' : 'ranks'} ${listOf(ranks)}`
}

/** The verb in the number of the ranks: `waits` for one, `wait` for more. */
export function agree(ranks: readonly number[], singular: string, several: string): string {
  return new Set(ranks).size === 1 ? singular : several
}

/** The world rank of an operation's peer, when it has a definite one. */
export function worldPeerOf(operation: OperationRecord): number | undefined {
  if (operation.worldPeer !== undefined) return operation.worldPeer
  return typeof operation.peer === 'number' ? operation.peer : undefined
}

/** Two communicators are one when their contexts are, or, where those are unknown, their names. */
export function sameCommunicator(a: OperationRecord, b: OperationRecord): boolean {
  if (a.context !== undefined && b.context !== undefined) return a.context === b.context
  return a.communicator === b.communicator
}
