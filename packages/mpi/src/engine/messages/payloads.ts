import {
  checkUsable,
  Datatype,
  kindOf,
  NO_KIND,
  resolveMemory,
  type Memory,
  type TypedArray,
} from '../../datatype/index.js'
import {
  BytesPayload,
  PlainPayload,
  SpreadPayload,
  type Payload,
  type RegisteredPayload,
} from '../../p2p/payload.js'
import { isScalar, ScalarPayload } from '../../p2p/scalar.js'
import type { Rank } from '../rank.js'

/** Makes payloads of what programs send. */
export class Payloads {
  readonly #rank: Rank

  constructor(rank: Rank) {
    this.#rank = rank
  }

  /** The payload of whatever `send` was given. */
  of(value: unknown): Payload {
    const { codec, views } = this.#rank
    const view = views.find(value)
    if (view !== undefined) return view
    const kind = kindOf(value)
    if (kind !== NO_KIND) return this.#ofArray(value as TypedArray, kind)
    if (isScalar(value)) return new ScalarPayload(value)
    if (isMemoryObject(value)) return this.ofMemory(value)
    const encoded = codec.encode(value)
    return new BytesPayload(encoded.kind, encoded.bytes)
  }

  /** What is known of a typed array in registered memory that was used before. */
  known(memory: unknown): RegisteredPayload | undefined {
    return this.#rank.views.find(memory)
  }

  #ofArray(data: TypedArray, kind: number): Payload {
    const view = this.#rank.views.look(data, kind)
    if (view !== undefined) return view
    checkUsable(data, 'value')
    return new PlainPayload(kind, data)
  }

  /** Of memory, whole or through a datatype. */
  ofMemory(memory: Memory): Payload {
    const { data, kind, layout, offset, count, contiguous, byteOffset, bytes } = resolveMemory(
      memory,
      'value',
    )
    if (layout === undefined || contiguous) {
      return this.#ofArray(viewOf(data, byteOffset, bytes), kind)
    }
    return new SpreadPayload(kind, data, { layout, offset, count })
  }
}

/** An object with a datatype is memory, not a value: a datatype cannot be sent. */
function isMemoryObject(value: unknown): value is { data: TypedArray; datatype: Datatype } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'datatype' in value &&
    value.datatype instanceof Datatype
  )
}

/** The part of an array from `byteOffset` on, which counts from the start of its buffer. */
export function viewOf(data: TypedArray, byteOffset: number, bytes: number): TypedArray {
  const first = (byteOffset - data.byteOffset) / data.BYTES_PER_ELEMENT
  return data.subarray(first, first + bytes / data.BYTES_PER_ELEMENT)
}
