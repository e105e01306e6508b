import {
  ELEMENT_CODES,
  type Kernels,
  reductionKernel,
  type ReductionKernel,
} from '@commworld/transport'
import { bytesOf, type ElementKind } from '../../datatype/index.js'
import { SHORT_SLOT_BYTES } from '../../device/board.js'
import type { Op } from '../../op/index.js'
import { type BlockMap, EvenBlocks, ListedBlocks } from './block-map.js'
import { SLOT, TMP } from './buffer.js'

/** What is known of the memory of a call besides its addresses: the same for calls that are alike. */
export class MemoryLayout {
  readonly operation: string
  readonly kind: ElementKind
  readonly elementBytes: number
  readonly op: Op | undefined
  /** The kernel that folds; undefined where a function does. */
  readonly kernel: ReductionKernel | undefined
  /** The blocks of the collective, packed, as far as their lengths are known to all. */
  readonly shape: BlockMap
  readonly input: BlockMap | undefined
  readonly output: BlockMap | undefined
  /** Of all of these blocks together. */
  readonly bytes: number
  /** The map of each buffer of the plan. */
  readonly maps: readonly BlockMap[]
  /** Whether a slot fits into an entry of the board. */
  readonly shortSlot: boolean
  readonly scratchBytes: number
  /** Whether each rank alone knows where its blocks lie, and how long they are: a v-form. */
  readonly listed: boolean

  constructor(
    kernels: Kernels,
    facts: {
      readonly operation: string
      readonly kind: ElementKind
      readonly op: Op | undefined
      readonly shape: BlockMap
      readonly input: BlockMap | undefined
      readonly output: BlockMap | undefined
      readonly listed: boolean
      /** For each block of `TMP` the block of the collective that it is as long as. */
      readonly scratch: readonly number[]
    },
  ) {
    const { operation, kind, op, shape, input, output, listed, scratch } = facts
    this.operation = operation
    this.kind = kind
    this.elementBytes = bytesOf(kind)
    this.op = op
    const reduction = op?.reduction
    this.kernel =
      reduction === undefined
        ? undefined
        : reductionKernel(kernels, reduction, ELEMENT_CODES[kind]!)
    this.shape = shape
    this.bytes = shape.bytes(0, shape.blocks)
    this.input = input
    this.output = output
    this.listed = listed
    const temporary = new ListedBlocks(scratch.map((block) => shape.bytes(block, 1)))
    this.scratchBytes = temporary.total
    const maps = [input ?? shape, output ?? shape, shape, shape, shape]
    maps[TMP] = temporary
    // What a rank publishes of its own single block is that block.
    if (input?.blocks === 1) maps[SLOT] = new EvenBlocks(1, 1, input.bytes(0, 1))
    this.maps = maps
    const slot = maps[SLOT]!
    this.shortSlot = slot.bytes(0, slot.blocks) <= SHORT_SLOT_BYTES
  }
}
