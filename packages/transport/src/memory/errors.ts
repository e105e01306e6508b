/** Base of the errors of a world's memory. */
export abstract class MemoryError extends Error {
  abstract readonly code: string
}

/** The system refused the memory of a world, or the size asked for is not possible. */
export class MemoryUnavailable extends MemoryError {
  override readonly name = 'MemoryUnavailable'
  readonly code = 'MEMORY_UNAVAILABLE'
  /** Size asked for. */
  readonly requestedBytes: number

  constructor(requestedBytes: number, reason: string, options?: ErrorOptions) {
    super(
      `cannot create a world memory of ${requestedBytes} bytes (${inMebibytes(requestedBytes)}): ` +
        `${reason}. The size is set with --memory (option memoryBytes).`,
      options,
    )
    this.requestedBytes = requestedBytes
  }
}

/** The heap has no free range that is large enough. */
export class OutOfMemory extends MemoryError {
  override readonly name = 'OutOfMemory'
  readonly code = 'OUT_OF_MEMORY'
  /** Size asked for. */
  readonly requestedBytes: number
  /** Bytes in no block; they may lie in several ranges. */
  readonly freeBytes: number
  /** Size of the whole heap. */
  readonly capacityBytes: number

  constructor(facts: { requestedBytes: number; freeBytes: number; capacityBytes: number }) {
    const { requestedBytes, freeBytes, capacityBytes } = facts
    super(
      `no room for ${requestedBytes} bytes: ${freeBytes} of ${capacityBytes} bytes of world ` +
        `memory are free. Free registered memory, or raise the limit with --memory.`,
    )
    this.requestedBytes = requestedBytes
    this.freeBytes = freeBytes
    this.capacityBytes = capacityBytes
  }
}

/** The block was freed before. */
export class DoubleFree extends MemoryError {
  override readonly name = 'DoubleFree'
  readonly code = 'DOUBLE_FREE'
  readonly address: number

  constructor(address: number) {
    super(`the block at address ${address} was freed before`)
    this.address = address
  }
}

/** No allocated block starts at the address. */
export class NotAllocated extends MemoryError {
  override readonly name = 'NotAllocated'
  readonly code = 'NOT_ALLOCATED'
  readonly address: number

  constructor(address: number) {
    super(`no allocated block starts at address ${address}`)
    this.address = address
  }
}

function inMebibytes(bytes: number): string {
  return `${Math.round((bytes / 2 ** 20) * 100) / 100} MiB`
}
