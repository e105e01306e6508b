import { Op, type TypedArray } from '@commworld/mpi'
import { anyElement, classOf, elementsOf, store, type KindName, type Scalar } from './elements.js'
import { foldBlocks, reductions, type ReductionName } from './reductions.js'
import { scrambled } from './seeded.js'

/** What a rank gives: the same for the same place. */
export type Make = (...place: readonly number[]) => unknown

/** Enough for a message of its own, beyond any slot. */
const LONG = 6000

function arrayOf(kind: KindName, elements: readonly Scalar[]): TypedArray {
  const array = new (classOf(kind))(elements.length)
  store(array, elements)
  return array
}

/** Values of every sort that travels. */
export const contents = {
  number: (...place) => [-0, NaN, 1.5, Infinity, 2 ** 53, 7][scrambled(...place) % 6],
  bigint: (...place) => anyElement('bigint64', ...place),
  'bigint beyond 64 bits': (...place) => BigInt(scrambled(...place)) ** 5n,
  string: (...place) => `« ${scrambled(...place)} »`,
  'long string': (...place) => `${scrambled(...place)} `.repeat(LONG / 8),
  nothing: (...place) => [undefined, null, '', false, 0][scrambled(...place) % 5],
  object: (...place) => {
    const number = scrambled(...place)
    return { number, of: [place, { float: number / 7, none: undefined }], [`key ${number}`]: null }
  },
  'built-ins': (...place) => {
    const number = scrambled(...place)
    const holes: unknown[] = []
    holes[1] = number
    return [new Map([[number, new Set(place)]]), new Date(number), -0, holes, 1n << 70n]
  },
  'array in an object': (...place) => ({ data: arrayOf('float32', [place.length, 0.5]), place }),
  'typed array': (...place) => arrayOf('int16', [anyElement('int16', ...place), place.length]),
  'long typed array': (...place) => {
    const array = new Float64Array(LONG / 8).fill(scrambled(...place))
    array[LONG / 16] = -0
    return array
  },
  'empty typed array': () => new Uint8Array(0),
} as const satisfies Record<string, Make>

export type ContentName = keyof typeof contents
export const contentNames = Object.keys(contents) as ContentName[]

/** A reduction of values and what it must do, told without the library. */
export interface ValueReduction {
  readonly op: Op
  readonly commutes: boolean
  readonly make: Make
  readonly fold: (lower: unknown, higher: unknown) => unknown
}

/** Typed arrays, folded element by element. */
function arrays(name: ReductionName, kind: KindName, items: number): ValueReduction {
  const reduction = reductions[name]
  const { op, unit, commutes, element } = reduction
  return {
    op,
    commutes,
    make: (...place) =>
      arrayOf(
        kind,
        Array.from({ length: unit * items }, (_, i) => element(kind, i, ...place, i)),
      ),
    fold(lower, higher) {
      const [a, b] = [lower, higher].map((array) => elementsOf(array as TypedArray))
      return arrayOf(kind, foldBlocks(reduction, kind, a, b))
    },
  }
}

/** Single numbers or bigints, which are elements of the widest kinds. */
function single(name: ReductionName, kind: 'float64' | 'int32' | 'bigint64'): ValueReduction {
  const { op, commutes, element, fold } = reductions[name]
  return {
    op,
    commutes,
    make: (...place) => element(kind, 0, ...place),
    fold: (lower, higher) => fold(kind, [lower as Scalar], [higher as Scalar])[0],
  }
}

function booleans(name: 'LAND' | 'LOR' | 'LXOR'): ValueReduction {
  const { op, fold } = reductions[name]
  const bit = (value: unknown): [number] => [value === true ? 1 : 0]
  return {
    op,
    commutes: true,
    make: (...place) => scrambled(...place) % 3 > 0,
    fold: (lower, higher) => fold('int32', bit(lower), bit(higher))[0] === 1,
  }
}

function located(name: 'MINLOC' | 'MAXLOC'): ValueReduction {
  const { op, element, fold } = reductions[name]
  const pair = (at: unknown): Scalar[] => {
    const { value, index } = at as { value: Scalar; index: number }
    return [value, index]
  }
  return {
    op,
    commutes: true,
    make: (...place) => ({
      value: element('float64', 0, ...place),
      index: element('float64', 1, ...place),
    }),
    fold(lower, higher) {
      const [value, index] = fold('float64', pair(lower), pair(higher))
      return { value, index }
    },
  }
}

function strings(length: number): ValueReduction {
  return {
    op: Op.create((lower: string, higher: string) => lower + higher, { name: 'concatenate' }),
    commutes: false,
    make: (...place) => `${scrambled(...place) % 1000},`.repeat(length),
    fold: (lower, higher) => (lower as string) + (higher as string),
  }
}

interface Chain {
  readonly items: unknown[]
}

/** Changes its second operand and gives it back: it must be nobody else's. */
const chain: ValueReduction = {
  op: Op.create(
    (lower: Chain, higher: Chain) => {
      higher.items.unshift(...lower.items)
      return higher
    },
    { name: 'chain' },
  ),
  commutes: false,
  make: (...place) => ({ items: [scrambled(...place) % 100] }),
  fold: (lower, higher) => ({ items: [...(lower as Chain).items, ...(higher as Chain).items] }),
}

/** A function of the user that says it commutes. */
const longest: ValueReduction = {
  op: Op.create(
    (a: string, b: string) => (a.length > b.length || (a.length === b.length && a < b) ? a : b),
    {
      name: 'longest',
      commutative: true,
    },
  ),
  commutes: true,
  make: (...place) => 'x'.repeat(scrambled(...place) % 40) + (scrambled(...place) % 10),
  fold(lower, higher) {
    const [a, b] = [lower as string, higher as string]
    return [a, b].toSorted((x, y) => y.length - x.length || (x < y ? -1 : 1))[0]
  },
}

export const valueReductions = {
  'SUM of numbers': single('SUM', 'float64'),
  'PROD of numbers': single('PROD', 'float64'),
  'MAX of numbers': single('MAX', 'float64'),
  'MIN of numbers': single('MIN', 'float64'),
  'SUM of bigints': single('SUM', 'bigint64'),
  'PROD of bigints': single('PROD', 'bigint64'),
  'MAX of bigints': single('MAX', 'bigint64'),
  'LAND of integers': single('LAND', 'int32'),
  'LXOR of bigints': single('LXOR', 'bigint64'),
  'LAND of booleans': booleans('LAND'),
  'LOR of booleans': booleans('LOR'),
  'LXOR of booleans': booleans('LXOR'),
  'BAND of integers': single('BAND', 'int32'),
  'BOR of integers': single('BOR', 'int32'),
  'BXOR of bigints': single('BXOR', 'bigint64'),
  'MAXLOC of objects': located('MAXLOC'),
  'MINLOC of objects': located('MINLOC'),
  'MAXLOC of pairs': arrays('MAXLOC', 'int16', 3),
  'SUM of int8 arrays': arrays('SUM', 'int8', 5),
  'SUM of clamped arrays': arrays('SUM', 'uint8clamped', 5),
  'PROD of biguint64 arrays': arrays('PROD', 'biguint64', 2),
  'MIN of long float32 arrays': arrays('MIN', 'float32', LONG / 4),
  'SUM of empty arrays': arrays('SUM', 'float64', 0),
  'affine maps in arrays': arrays('affine', 'float64', 3),
  'matrices in long arrays': arrays('matrix', 'int16', LONG / 8),
  concatenation: strings(1),
  'long concatenation': strings(500),
  chain,
  longest,
} as const satisfies Record<string, ValueReduction>

export type ValueReductionName = keyof typeof valueReductions
export const valueReductionNames = Object.keys(valueReductions) as ValueReductionName[]
