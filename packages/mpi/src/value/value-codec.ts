import { Packr } from 'msgpackr/pack'
import { Unpackr } from 'msgpackr/unpack'
import { deserialize, serialize } from 'node:v8'
import { elementsIn, freshArray, kindOf, NO_KIND, type TypedArray } from '../datatype/index.js'
import { ValueError } from '../errors/index.js'
import {
  BIGINT,
  CLONED_VALUE,
  GRAPH_VALUE,
  isElementKind,
  NUMBER,
  PACKED_VALUE,
} from '../p2p/message-kind.js'
import { isScalar } from '../p2p/scalar.js'
import { decodeScalar, encodeScalar } from './scalar-bytes.js'
import { GRAPH, routeOf, TREE } from './value-route.js'
import { locateFailure, ValueWalk } from './value-walk.js'

/** A value as bytes, with the kind that says how to read them. */
export interface EncodedValue {
  readonly kind: number
  readonly bytes: Uint8Array
}

/** Messages up to this size are decoded out of a buffer that is kept. */
const SCRATCH_BYTES = 16 * 1024
/** Up to this size a loop is quicker than `set`, which has views to make and to check. */
const SHORT_BYTES = 192

const TREE_OPTIONS = { useRecords: false, mapsAsObjects: true, copyBuffers: true } as const

type Scratch = Buffer & { dataView?: DataView }

/**
 * Values to bytes and back. Every message can be decoded alone, by any codec.
 *
 * Values are what `structuredClone` can copy, and arrive as it would copy them: Maps, Sets, Dates,
 * bigints of any size, typed arrays, -0, holes and cycles survive; instances of classes arrive as
 * plain objects. What cannot travel is refused. Most values go by msgpack, small trees without
 * remembering shapes or references, and the rest by V8's structured clone, which is slower.
 */
export class ValueCodec {
  // Maps and objects are one thing in msgpack: in a tree there are objects only. In a graph objects
  // are records, whose keys are written once for all of one shape.
  #treePacker: Packr | undefined
  #treeUnpacker: Unpackr | undefined
  #graphPacker: Packr | undefined
  #graphUnpacker: Unpackr | undefined
  #scratch: Scratch | undefined

  /**
   * The bytes of a value. Those of a typed array are the array's own memory, all others are fresh.
   *
   * @throws {ValueError} when something in it cannot travel; it names the path
   */
  encode(value: unknown): EncodedValue {
    if (typeof value === 'object' && value !== null) {
      const kind = kindOf(value)
      if (kind !== NO_KIND) return { kind, bytes: bytesOfArray(value as TypedArray) }
    } else if (isScalar(value)) {
      return { kind: typeof value === 'number' ? NUMBER : BIGINT, bytes: encodeScalar(value) }
    }
    const route = routeOf(value)
    if (route === TREE) {
      this.#treePacker ??= new Packr({ useRecords: false, variableMapSize: true, moreTypes: true })
      return { kind: PACKED_VALUE, bytes: this.#treePacker.pack(value) }
    }
    return this.#encodeSlowly(value, route === GRAPH)
  }

  /**
   * The value of a message of `length` bytes from `start` on in `memory`. Nothing of it shares memory
   * with that.
   */
  decode(kind: number, memory: Uint8Array, start = 0, length = memory.length): unknown {
    switch (kind) {
      case PACKED_VALUE:
        this.#treeUnpacker ??= new Unpackr(TREE_OPTIONS)
        return this.#unpack(this.#treeUnpacker, memory, start, length)
      case GRAPH_VALUE:
        this.#graphUnpacker ??= new Unpackr({ structuredClone: true, copyBuffers: true })
        return this.#unpack(this.#graphUnpacker, memory, start, length)
    }
    const bytes = memory.subarray(start, start + length)
    // V8 makes views on the buffer it is given, so it is given one of its own.
    if (kind === CLONED_VALUE) return deserialize(ownBuffer(bytes))
    return isElementKind(kind) ? decodeArray(kind, bytes) : decodeScalar(kind, bytes)
  }

  #encodeSlowly(value: unknown, known: boolean): EncodedValue {
    try {
      if (known || ValueWalk.isPackable(value)) {
        this.#graphPacker ??= new Packr({ structuredClone: true, copyBuffers: true })
        return { kind: GRAPH_VALUE, bytes: this.#graphPacker.pack(value) }
      }
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : error
    }
    try {
      return { kind: CLONED_VALUE, bytes: serialize(value) }
    } catch (error) {
      throw error instanceof RangeError ? tooDeep() : locateFailure(value)
    }
  }

  #unpack(unpacker: Unpackr, memory: Uint8Array, start: number, length: number): unknown {
    if (length > SCRATCH_BYTES) {
      return unpacker.unpack(ownBuffer(memory.subarray(start, start + length)))
    }
    const scratch = (this.#scratch ??= Buffer.allocUnsafeSlow(SCRATCH_BYTES))
    if (length <= SHORT_BYTES) for (let i = 0; i < length; i++) scratch[i] = memory[start + i]!
    else scratch.set(memory.subarray(start, start + length))
    return unpacker.unpack(scratch, length)
  }
}

function tooDeep(): ValueError {
  return new ValueError({ path: 'value', found: 'nested too deeply' })
}

/** The text decoder takes no shared memory, and what is decoded must not lie in the sender's. */
function ownBuffer(bytes: Uint8Array): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length)
  copy.set(bytes)
  return copy
}

function bytesOfArray(array: TypedArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function decodeArray(kind: number, bytes: Uint8Array): TypedArray {
  const array = freshArray(kind, elementsIn(bytes.length, kind))
  bytesOfArray(array).set(bytes)
  return array
}
