import { Datatype, type Memory, type Mpi, type TypedArray } from '@commworld/mpi'
import { emptyArray, kinds, type KindName } from './payload.js'

/** How the elements of a message lie in memory. */
export type Shape =
  'whole' | 'part' | 'vector' | 'blocks' | 'subarray' | 'fortran' | 'resized' | 'transposed'

/** Where they lie; a buffer has room for `slack` elements more where its shape allows. */
export interface Place {
  readonly shape: Shape
  readonly registered: boolean
  readonly slack: number
}

/** Which elements of an array of `length` belong to the message, in its order, told naively. */
interface Layout {
  readonly length: number
  readonly position: (element: number) => number
  readonly memory: (data: TypedArray) => Memory
}

/** What elements of a buffer hold that are not the message's. */
const UNTOUCHED = 0xa5

/** A buffer of one message. */
export class Buffer {
  readonly memory: Memory
  /** The same as `send` takes it: a part without a datatype is a view. */
  readonly sendable: Memory
  readonly #data: TypedArray
  readonly #kind: KindName
  readonly #layout: Layout
  readonly #release: () => void

  constructor({ alloc, free }: Mpi, kind: KindName, elements: number, place: Place) {
    this.#kind = kind
    this.#layout = layoutOf(elements, place)
    const { length, memory } = this.#layout
    const data = place.registered
      ? alloc<TypedArray>(kinds[kind], length)
      : emptyArray(kind, length)
    bytesOf(data).fill(UNTOUCHED)
    this.#data = data
    this.#release = () => place.registered && free(data)
    this.memory = memory(data)
    this.sendable = place.shape === 'part' ? data.subarray(OFFSET, OFFSET + elements) : this.memory
  }

  /** Puts the elements of a message where they belong. */
  fill(message: TypedArray): void {
    const size = message.BYTES_PER_ELEMENT
    const [from, to] = [bytesOf(message), bytesOf(this.#data)]
    for (let i = 0; i < message.length; i++) {
      to.set(from.subarray(i * size, i * size + size), this.#layout.position(i) * size)
    }
  }

  /** The elements of a message of this length; everything else must be untouched. */
  take(elements: number): TypedArray {
    const message = emptyArray(this.#kind, elements)
    const size = message.BYTES_PER_ELEMENT
    const [from, to] = [bytesOf(this.#data), bytesOf(message)]
    for (let i = 0; i < elements; i++) {
      const at = this.#layout.position(i) * size
      to.set(from.subarray(at, at + size), i * size)
      from.fill(UNTOUCHED, at, at + size)
    }
    const touched = from.findIndex((byte) => byte !== UNTOUCHED)
    if (touched >= 0) throw new Error(`byte ${touched} of the buffer was written to by mistake`)
    return message
  }

  release(): void {
    this.#release()
  }
}

const OFFSET = 2

function layoutOf(n: number, { shape, slack }: Place): Layout {
  if (n === 0 && shape !== 'whole' && shape !== 'part') return resized(0, slack)
  switch (shape) {
    case 'whole':
      return { length: n + slack, position: (i) => i, memory: (data) => data }
    case 'part':
      return {
        length: OFFSET + n + slack,
        position: (i) => OFFSET + i,
        memory: (data) => ({ data, offset: OFFSET, count: n + slack }),
      }
    case 'vector':
      return blocks(n, 1, 3)
    case 'blocks':
      return n % 2 === 0 ? blocks(n / 2, 2, 5) : blocks(n, 1, 2)
    case 'subarray':
      return subarray(n, 'C')
    case 'fortran':
      return subarray(n, 'Fortran')
    case 'resized':
      return resized(n, slack)
    case 'transposed':
      return transposed(n)
  }
}

function blocks(count: number, blockLength: number, stride: number): Layout {
  const datatype = Datatype.vector({ count, blockLength, stride })
  return {
    length: 1 + count * stride,
    position: (i) => 1 + Math.floor(i / blockLength) * stride + (i % blockLength),
    memory: (data) => ({ data, datatype, offset: 1 }),
  }
}

/** A box with a margin, in a table of rows. */
function subarray(n: number, order: 'C' | 'Fortran'): Layout {
  const columns = n % 4 === 0 ? 4 : n % 3 === 0 ? 3 : 1
  const rows = n / columns
  const isRows = order === 'C'
  const of = (fast: number, slow: number): number[] => (isRows ? [slow, fast] : [fast, slow])
  const datatype = Datatype.subarray({
    sizes: of(columns + 2, rows + 1),
    subsizes: of(columns, rows),
    starts: of(1, 1),
    order,
  })
  return {
    length: (columns + 2) * (rows + 1),
    position: (i) => (1 + Math.floor(i / columns)) * (columns + 2) + 1 + (i % columns),
    memory: (data) => ({ data, datatype }),
  }
}

function resized(n: number, slack: number): Layout {
  const datatype = Datatype.contiguous(1).resized(0, 2)
  return {
    length: 2 * (n + slack),
    position: (i) => 2 * i,
    memory: (data) => ({ data, datatype, count: n + slack }),
  }
}

/** The columns of a table, one after the other. */
function transposed(n: number): Layout {
  const rows = n % 3 === 0 ? 3 : n % 2 === 0 ? 2 : 1
  const columns = n / rows
  const column = Datatype.vector({ count: rows, blockLength: 1, stride: columns })
  const datatype = column.resized(0, 1)
  return {
    length: n,
    position: (i) => (i % rows) * columns + Math.floor(i / rows),
    memory: (data) => ({ data, datatype, count: columns }),
  }
}

function bytesOf({ buffer, byteOffset, byteLength }: TypedArray): Uint8Array {
  return new Uint8Array(buffer, byteOffset, byteLength)
}
