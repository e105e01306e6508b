import { quantity } from './describe.js'
import { MpiError, nameClass } from './mpi-error.js'

/** The world's memory has no room for a request. Give it more with `--memory` or `{ memoryBytes }`. MPI 4.1, 9.2. */
export class NoMemoryError extends MpiError {
  static {
    nameClass(this, 'NoMemoryError')
  }
  readonly code = 'MPI_ERR_NO_MEM'
  readonly requestedBytes: number
  readonly freeBytes: number
  readonly capacityBytes: number

  constructor(facts: { requestedBytes: number; freeBytes: number; capacityBytes: number }) {
    const { requestedBytes, freeBytes, capacityBytes } = facts
    super(
      `the world's memory has no ${quantity(requestedBytes, 'byte')} in one piece: ${freeBytes} of its ` +
        `${capacityBytes} bytes are free. Run with more (\`--memory\`, or \`memoryBytes\` of launch and local), ` +
        'or free what is no longer used',
    )
    this.requestedBytes = requestedBytes
    this.freeBytes = freeBytes
    this.capacityBytes = capacityBytes
  }
}

/** Why registered memory could not be freed or used. */
export type MemoryProblem = 'foreign' | 'freed' | 'in use' | 'part' | 'gone'

/** Memory given to `free` is not what `alloc` returned, was freed already, or is still in use. MPI 4.1, 9.2. */
export class MemoryUseError extends MpiError {
  static {
    nameClass(this, 'MemoryUseError')
  }
  readonly code = 'MPI_ERR_BASE'
  readonly problem: MemoryProblem

  constructor({ problem, operation }: { problem: MemoryProblem; operation?: string }) {
    super(MEMORY_MESSAGES[problem] + (operation === undefined ? '' : ` (${operation})`))
    this.problem = problem
  }
}

const MEMORY_MESSAGES: Readonly<Record<MemoryProblem, string>> = {
  foreign: 'this memory was not allocated with `alloc` in this world',
  freed: 'this memory is free already',
  'in use': 'an operation that is not complete still uses this memory. Wait for its request first',
  gone: 'this registered memory was freed, or belongs to another rank or to a world that has ended',
  part: 'this is only a part of an allocation. Free the view that `alloc` returned',
}

/** Two buffers of one call share memory. MPI 4.1, 2.4.1 and 3.10. */
export class OverlapError extends MpiError {
  static {
    nameClass(this, 'OverlapError')
  }
  readonly code = 'MPI_ERR_BUFFER'
  readonly operation: string
  readonly first: string
  readonly second: string

  /** `first` and `second` name the arguments; equal names say that one buffer overlaps itself. */
  constructor(facts: { operation: string; first: string; second: string; advice?: string }) {
    const { operation, first, second, advice } = facts
    super(
      (first === second
        ? `${operation}: the datatype of \`${first}\` writes some elements twice`
        : `${operation}: \`${first}\` and \`${second}\` overlap in memory`) +
        (advice === undefined ? '' : `. ${advice}`),
    )
    this.operation = operation
    this.first = first
    this.second = second
  }
}

/** Under `strictZeroCopy`, a message above the eager limit would have been copied on its way. */
export class StagedCopyError extends MpiError {
  static {
    nameClass(this, 'StagedCopyError')
  }
  readonly code = 'MPI_ERR_BUFFER'
  readonly operation: string
  readonly bytes: number
  readonly limitBytes: number

  constructor(facts: { operation: string; bytes: number; limitBytes: number }) {
    const { operation, bytes, limitBytes } = facts
    super(
      `${operation}: ${quantity(bytes, 'byte')} would be copied on the way, and copies above ` +
        `${limitBytes} bytes are errors under strictZeroCopy. Use memory from \`alloc\``,
    )
    this.operation = operation
    this.bytes = bytes
    this.limitBytes = limitBytes
  }
}

/** A value is wanted of a message whose content a run for times alone has not moved. */
export class ContentError extends MpiError {
  static {
    nameClass(this, 'ContentError')
  }
  readonly code = 'MPI_ERR_BUFFER'
  readonly operation: string
  readonly bytes: number

  constructor({ operation, bytes }: { operation: string; bytes: number }) {
    super(
      `${operation}: the ${quantity(bytes, 'byte')} of this typed array were not moved, since the run is for ` +
        'times alone (--timing-only). Receive it into memory (recvInto, irecvInto), or send a value',
    )
    this.operation = operation
    this.bytes = bytes
  }
}

/** A buffered send does not fit into what is left of the attached buffer. MPI 4.1, 3.6. */
export class BufferSpaceError extends MpiError {
  static {
    nameClass(this, 'BufferSpaceError')
  }
  readonly code = 'MPI_ERR_BUFFER'
  readonly messageBytes: number
  readonly freeBytes: number
  readonly attachedBytes: number

  constructor(facts: {
    messageBytes: number
    overheadBytes: number
    freeBytes: number
    attachedBytes: number
  }) {
    const { messageBytes, overheadBytes, freeBytes, attachedBytes } = facts
    const needed = messageBytes + overheadBytes
    super(
      `a buffered send of ${quantity(messageBytes, 'byte')} needs ${needed} bytes of attached buffer ` +
        `(${overheadBytes} for bookkeeping), and ${freeBytes} of ${attachedBytes} are free. ` +
        'Attach a larger buffer with `attachBuffer(bytes)`',
    )
    this.messageBytes = messageBytes
    this.freeBytes = freeBytes
    this.attachedBytes = attachedBytes
  }
}
