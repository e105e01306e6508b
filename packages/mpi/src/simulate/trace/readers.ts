import type { ImportError } from '@commworld/transport/simulated'
import type { Message, What } from './action.js'

/** What an action is read from. */
export interface Arguments {
  readonly rank: number
  readonly ranks: number
  /** Of an element where the line names no type. */
  readonly elementBytes: number
  readonly numbers: readonly number[]
  wrong(reason: string): ImportError
}

/** How the arguments of one action are read. */
export interface ActionReader {
  readonly usage: string
  /** Least and most arguments, in a trace of so many ranks. */
  count(ranks: number): readonly [least: number, most: number]
  read(given: Arguments): What | undefined
  /** Whether its arguments are not numbers, and of no concern. */
  readonly words?: boolean
}

/** Bytes of SimGrid's predefined types, by their numbers: double, int, char, short, long, float, byte, ... */
const TYPE_BYTES = [8, 4, 1, 2, 8, 4, 1, 8, 1, 1, 2, 4, 8, 8, 16, 4, 1, 1, 2, 4, 8, 1, 2, 4, 8]

/** The reader of an action; names are written in several ways: `allReduce`, `Isend`. */
export function readerOf(name: string): ActionReader | undefined {
  const known = name.toLowerCase()
  return Object.hasOwn(READERS, known) ? READERS[known] : undefined
}

const between =
  (least: number, most = least) =>
  () =>
    [least, most] as const
const ignored = (usage: string): ActionReader => ({
  usage,
  count: between(0, Infinity),
  read: () => undefined,
  words: true,
})

export const READERS: Readonly<Record<string, ActionReader>> = {
  init: ignored('nothing, or a number for elements of 8 B'),
  finalize: ignored('nothing'),
  comm_size: ignored('a number of ranks'),
  comm_split: ignored('nothing'),
  comm_dup: ignored('nothing'),
  location: ignored('file and line'),
  send: message('send', false),
  isend: message('send', true),
  recv: message('receive', false),
  irecv: message('receive', true),
  wait: completion('wait'),
  test: completion('test'),
  waitall: { usage: 'nothing', count: between(0, 1), read: () => ({ does: 'wait all' }) },
  compute: {
    usage: 'flops',
    count: between(1),
    read: ({ numbers: [flops], wrong }) => ({ does: 'compute', flops: positive(flops!, wrong) }),
  },
  sleep: {
    usage: 'seconds',
    count: between(1),
    read: ({ numbers: [time], wrong }) => ({ does: 'sleep', seconds: positive(time!, wrong) }),
  },
  barrier: {
    usage: 'nothing',
    count: between(0),
    read: () => ({ does: 'collective', collective: 'barrier', root: 0, flops: 0 }),
  },
  bcast: whole('bcast', { flops: false, root: true }),
  reduce: whole('reduce', { flops: true, root: true }),
  allreduce: whole('allreduce', { flops: true, root: false }),
  scan: whole('scan', { flops: true, root: false }),
  exscan: whole('exscan', { flops: true, root: false }),
  gather: blocks('gather', true),
  allgather: blocks('allgather', false),
  scatter: blocks('scatter', true),
  alltoall: blocks('alltoall', false),
  gatherv: {
    usage: 'elements sent, elements of each rank, [root, [type, type]]',
    count: (ranks) => [ranks + 1, ranks + 4],
    read: (given) => counted('gatherv', given, 1, given.numbers[given.ranks + 1]),
  },
  allgatherv: {
    usage: 'elements sent, elements of each rank, [displacements], [type, [type]]',
    count: (ranks) => [ranks + 1, 2 * ranks + 3],
    read: (given) => counted('allgatherv', given, 1),
  },
  scatterv: {
    usage: 'elements of each rank, elements received, [root, [type, type]]',
    count: (ranks) => [ranks + 1, ranks + 4],
    read: (given) => counted('scatterv', given, 0, given.numbers[given.ranks + 1]),
  },
  reducescatter: {
    usage: 'elements of each rank, flops, [type]',
    count: (ranks) => [ranks + 1, ranks + 2],
    read: (given) =>
      counted('reducescatter', given, 0, 0, positive(given.numbers[given.ranks]!, given.wrong)),
  },
  alltoallv: {
    usage:
      'elements sent, those to each rank, elements received, those from each rank, [type, type]',
    count: (ranks) => [2 * ranks + 2, 2 * ranks + 4],
    read(given) {
      const { numbers, ranks } = given
      const bytes = elementBytesOf(given, numbers[2 * ranks + 2])
      const list = (from: number): number[] =>
        numbers.slice(from, from + ranks).map((elements) => sizeOf(elements, bytes, given))
      const [sent, received] = [list(1), list(ranks + 2)]
      return { does: 'collective', collective: 'alltoallv', root: 0, flops: 0, sent, received }
    },
  },
}

function message(does: 'send' | 'receive', goesOn: boolean): ActionReader {
  return {
    usage: 'rank, tag, elements, [type]; or, as in older traces, rank, elements',
    count: between(2, 4),
    read(given) {
      const { numbers, wrong } = given
      const [peer, tag] = numbers.length === 2 ? [numbers[0]!, 0] : [numbers[0]!, numbers[1]!]
      const elements = numbers.length === 2 ? numbers[1]! : numbers[2]!
      const type = elementBytesOf(given, numbers[3])
      // A receive of less than nothing takes whatever comes.
      const bytes = does === 'receive' ? Math.max(0, elements) : elements
      return {
        does,
        peer: rankIn(peer, given),
        tag: wholeNumber(tag, 'a tag', wrong),
        bytes: sizeOf(bytes, type, given),
        goesOn,
      }
    },
  }
}

function completion(does: 'wait' | 'test'): ActionReader {
  return {
    usage: 'source, destination, tag; or, as in older traces, nothing',
    count: between(0, 3),
    read(given) {
      const { numbers, wrong } = given
      if (numbers.length === 0) return { does, message: undefined }
      if (numbers.length !== 3) throw wrong(`${does} takes source, destination and tag, or nothing`)
      const [source, dest, tag] = numbers
      const of: Message = {
        source: rankIn(source!, given),
        dest: rankIn(dest!, given),
        tag: wholeNumber(tag!, 'a tag', wrong),
      }
      return { does, message: of }
    },
  }
}

/** A vector on every rank: its elements, [flops], [root], [type]. */
function whole(
  collective: 'bcast' | 'reduce' | 'allreduce' | 'scan' | 'exscan',
  has: { readonly flops: boolean; readonly root: boolean },
): ActionReader {
  const least = has.flops ? 2 : 1
  const parts = ['elements', ...(has.flops ? ['flops'] : []), ...(has.root ? ['[root]'] : [])]
  return {
    usage: `${parts.join(', ')}, [type]`,
    count: between(least, least + (has.root ? 2 : 1)),
    read(given) {
      const { numbers, wrong } = given
      const root = has.root ? rankIn(numbers[least] ?? 0, given) : 0
      const type = elementBytesOf(given, numbers[least + (has.root ? 1 : 0)])
      const bytes = sizeOf(numbers[0]!, type, given)
      const flops = has.flops ? positive(numbers[1]!, wrong) : 0
      return { does: 'collective', collective, root, flops, bytes }
    },
  }
}

/** A block for each rank: elements sent, elements received, [root], [types]. */
function blocks(
  collective: 'gather' | 'allgather' | 'scatter' | 'alltoall',
  hasRoot: boolean,
): ActionReader {
  return {
    usage: `elements sent, elements received, ${hasRoot ? '[root], ' : ''}[type, [type]]`,
    count: between(2, hasRoot ? 5 : 4),
    read(given) {
      const { numbers } = given
      const root = hasRoot ? rankIn(numbers[2] ?? 0, given) : 0
      const type = elementBytesOf(given, numbers[hasRoot ? 3 : 2])
      const bytes = sizeOf(numbers[0]!, type, given)
      return { does: 'collective', collective, root, flops: 0, bytes }
    },
  }
}

function counted(
  collective: 'gatherv' | 'allgatherv' | 'scatterv' | 'reducescatter',
  given: Arguments,
  from: number,
  root = 0,
  flops = 0,
): What {
  const { numbers, ranks } = given
  const after = numbers.length - ranks - 1
  // What follows the counts: root and types, or displacements and types.
  const types = {
    gatherv: after - 1,
    scatterv: after - 1,
    reducescatter: after,
    allgatherv: after % ranks,
  }
  const type = elementBytesOf(given, types[collective] > 0 ? numbers.at(-1) : undefined)
  const counts = numbers.slice(from, from + ranks).map((elements) => sizeOf(elements, type, given))
  return { does: 'collective', collective, root: rankIn(root, given), flops, counts }
}

function elementBytesOf({ elementBytes, wrong }: Arguments, type: number | undefined): number {
  if (type === undefined) return elementBytes
  const bytes = TYPE_BYTES[type]
  if (bytes === undefined)
    throw wrong(`${type} is no number of a type that is known: 0 to ${TYPE_BYTES.length - 1}`)
  return bytes
}

function sizeOf(elements: number, elementBytes: number, { wrong }: Arguments): number {
  const bytes = Math.round(elements) * elementBytes
  if (bytes >= 0 && bytes <= BYTES_MAX) return bytes
  throw wrong(`${elements} elements of ${elementBytes} B: at least 0, and at most 2 GiB`)
}

const BYTES_MAX = 2 ** 31

function rankIn(rank: number, { ranks, wrong }: Arguments): number {
  if (Number.isInteger(rank) && rank >= 0 && rank < ranks) return rank
  throw wrong(`there is no rank ${rank}: the trace has ranks 0 to ${ranks - 1}`)
}

function wholeNumber(number: number, what: string, wrong: Arguments['wrong']): number {
  if (Number.isSafeInteger(number) && number >= 0) return number
  throw wrong(`${number} is not ${what}`)
}

function positive(number: number, wrong: Arguments['wrong']): number {
  if (number >= 0) return number
  throw wrong(`${number} is less than nothing`)
}
