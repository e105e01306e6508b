import type { CallerBuffers } from '../../coll/plan/memory-blocks.js'
import { StagedCopyError } from '../../errors/index.js'
import type { OwnedMemory } from '../../p2p/ownership.js'
import type { CallMemory } from './call-memory.js'
import type { Rank } from '../rank.js'

/**
 * The memory of one call: where it lies in registered memory, itself or a packed copy, and whose it
 * is while the call is under way.
 */
export class StagedBuffers implements CallerBuffers {
  readonly #rank: Rank
  readonly #operation: string
  readonly #limitBytes: number
  readonly #copies: number[] = []
  readonly #results: { readonly memory: CallMemory; readonly at: number }[] = []
  readonly #written: OwnedMemory[] = []
  readonly #read: { readonly start: number; readonly end: number }[] = []

  /** @param limitBytes longest copy that is not an error */
  constructor(rank: Rank, operation: string, limitBytes: number) {
    this.#rank = rank
    this.#operation = operation
    this.#limitBytes = limitBytes
  }

  /** Address of what the caller gives. @param needsCopy even of registered memory */
  input(memory: CallMemory, needsCopy: boolean): number {
    if (memory.address !== 0 && !needsCopy) return memory.address
    return this.#copyOf(memory, true)
  }

  /**
   * Address of what the caller gets.
   *
   * @param holdsInput whether it is given as well
   * @param needsCopy even of registered memory
   */
  output(memory: CallMemory, holdsInput: boolean, needsCopy: boolean): number {
    if (memory.address !== 0 && !needsCopy) return memory.address
    const at = this.#copyOf(memory, holdsInput)
    if (at !== 0) this.#results.push({ memory, at })
    return at
  }

  /** Checks that no operation under way has the memory; takes it until the end when `lasting`. */
  own(given: CallMemory | undefined, gotten: CallMemory | undefined, lasting: boolean): void {
    const { ownership } = this.#rank
    if (!lasting && !ownership.busy) return
    const output = gotten?.owned
    if (output !== undefined) {
      if (!lasting) ownership.checkReceive(output, this.#operation)
      else {
        ownership.addReceive(output, this.#operation)
        this.#written.push(output)
      }
    }
    const input = given?.owned
    if (input === undefined) return
    if (input.address === 0) ownership.checkSendElsewhere(input.data, this.#operation)
    else {
      const { address: start, bytesMax } = input
      const end = start + bytesMax
      ownership.checkSend(start, end, this.#operation)
      if (lasting) {
        ownership.addSend(start, end)
        this.#read.push({ start, end })
      }
    }
  }

  finish(): void {
    for (const { memory, at } of this.#results) memory.unpack(this.#rank.memory, at)
  }

  release(): void {
    const { ownership, endpoint } = this.#rank
    for (const at of this.#copies) endpoint.staging.free(at)
    for (const owned of this.#written) ownership.removeReceive(owned)
    for (const { start, end } of this.#read) ownership.removeSend(start, end)
    this.#copies.length = this.#written.length = this.#read.length = 0
  }

  #copyOf(memory: CallMemory, filled: boolean): number {
    const { bytes } = memory
    if (bytes === 0) return 0
    const { endpoint, memory: world } = this.#rank
    if (memory.address === 0 && bytes > this.#limitBytes) {
      throw new StagedCopyError({
        operation: this.#operation,
        bytes,
        limitBytes: this.#limitBytes,
      })
    }
    const at = endpoint.staging.allocate(bytes)
    this.#copies.push(at)
    endpoint.counters.stagedCopies++
    if (filled) memory.pack(world, at)
    return at
  }
}
