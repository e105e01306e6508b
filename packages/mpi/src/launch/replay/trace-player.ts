import type { Mpi } from '../../api/index.js'
import { AbortedError, DeadlockError } from '../../errors/index.js'
import { SUM } from '../../op/index.js'
import type { Request } from '../../api/request.js'
import { ANY_SOURCE, ANY_TAG } from '../../p2p/sentinels.js'
import { SimulationError } from '../../simulate/simulation-error.js'
import type { Action, Collective, Message } from '../../simulate/trace/action.js'
import { isWild } from '../../simulate/trace/unmatched.js'

/** An operation that goes on while its rank does something else. */
interface Open extends Message {
  readonly request: Request<unknown>
  readonly buffer: Uint8Array
}

const SLEEP_SECONDS_MAX = 1000

/** Does what one rank of a trace did. */
export class TracePlayer {
  readonly #mpi: Mpi
  readonly #flopsPerSecond: number
  readonly #longest: number
  /** In the order in which they began. */
  readonly #open: Open[] = []
  /** Buffers that nothing uses, by size. */
  readonly #free = new Map<number, Uint8Array[]>()
  begun = 0
  /** What it is at; undefined when it has ended. */
  current: Action | undefined

  constructor(mpi: Mpi, options: { readonly flopsPerSecond: number; readonly longest: number }) {
    this.#mpi = mpi
    this.#flopsPerSecond = options.flopsPerSecond
    this.#longest = options.longest
  }

  /** @throws SimulationError with the line of an action that cannot be */
  async play(actions: readonly Action[]): Promise<void> {
    for (const action of actions) {
      this.current = action
      this.begun++
      try {
        await this.#do(action)
      } catch (error) {
        if (error instanceof AbortedError || error instanceof DeadlockError) throw error
        const { file, line, text } = action
        throw new SimulationError(`${file}:${line}: '${text}': ${(error as Error).message}`)
      }
    }
    await this.#endAll()
    this.current = undefined
  }

  async #do(action: Action): Promise<void> {
    switch (action.does) {
      case 'send':
      case 'receive': {
        const open = action.does === 'send' ? this.#send(action) : this.#receive(action)
        if (!action.goesOn) await this.#end(open)
        return
      }
      case 'wait': {
        const open = this.#find(action.message)
        if (open !== undefined) await this.#end(open)
        return
      }
      case 'test':
        this.#find(action.message)?.request.test()
        return
      case 'wait all':
        return await this.#endAll()
      case 'compute':
        return this.#spend(action.flops / this.#flopsPerSecond)
      case 'sleep':
        return this.#spend(action.seconds)
      case 'collective':
        await this.#collective(action)
        return this.#spend(action.flops / this.#flopsPerSecond)
    }
  }

  #send({ peer, tag, bytes }: { peer: number; tag: number; bytes: number }): Open {
    const { world } = this.#mpi
    const buffer = this.#take(bytes)
    const request = world.isend(buffer.subarray(0, bytes), { dest: peer, tag })
    return this.#opened({ source: world.rank, dest: peer, tag, request, buffer })
  }

  #receive({ peer, tag, bytes }: { peer: number; tag: number; bytes: number }): Open {
    const { world } = this.#mpi
    const buffer = this.#take(Math.max(bytes, this.#longest))
    const source = isWild(peer) ? ANY_SOURCE : peer
    const request = world.irecvInto(buffer, { source, tag: isWild(tag) ? ANY_TAG : tag })
    return this.#opened({ source: peer, dest: world.rank, tag, request, buffer })
  }

  #opened(open: Open): Open {
    this.#open.push(open)
    return open
  }

  #find(message: Message | undefined): Open | undefined {
    if (message === undefined) {
      if (this.#open.length > 0) return this.#open.at(-1)
      throw new Error('nothing has begun that is not through')
    }
    const fits = (wanted: number, is: number): boolean => wanted === is || isWild(is)
    // A test may have found it through already.
    return this.#open.find(
      ({ source, dest, tag }) =>
        fits(message.source, source) && fits(message.dest, dest) && fits(message.tag, tag),
    )
  }

  async #end(open: Open): Promise<void> {
    await open.request
    this.#open.splice(this.#open.indexOf(open), 1)
    this.#give(open.buffer)
  }

  async #endAll(): Promise<void> {
    while (this.#open.length > 0) await this.#end(this.#open[0]!)
  }

  #spend(seconds: number): void {
    for (let left = seconds; left > 0; left -= SLEEP_SECONDS_MAX) {
      this.#mpi.compute(Math.min(left, SLEEP_SECONDS_MAX))
    }
  }

  async #collective(action: Collective): Promise<void> {
    const { world } = this.#mpi
    const { rank, size } = world
    const { root } = action
    if (action.collective === 'barrier') return await world.ibarrier()
    if (action.collective === 'alltoallv') {
      const { sent, received } = action
      return await this.#with([sumOf(sent), sumOf(received)], (from, to) =>
        world.ialltoallvInto(
          { data: from, counts: [...sent] },
          { data: to, counts: [...received] },
        ),
      )
    }
    if ('counts' in action) {
      const { collective } = action
      const counts = [...action.counts]
      const all = sumOf(counts)
      const own = counts[rank]!
      if (collective === 'gatherv') {
        return await this.#with([own, all], (from, to) =>
          world.igathervInto(from, { data: to, counts }, { root }),
        )
      }
      if (collective === 'allgatherv') {
        return await this.#with([own, all], (from, to) =>
          world.iallgathervInto(from, { data: to, counts }),
        )
      }
      if (collective === 'scatterv') {
        return await this.#with([all, own], (from, to) =>
          world.iscattervInto({ data: from, counts }, to, { root }),
        )
      }
      return await this.#with([all, own], (from, to) =>
        world.ireduceScatterInto({ data: from, counts }, to, SUM),
      )
    }
    const { collective, bytes } = action
    const all = bytes * size
    switch (collective) {
      case 'bcast':
        return await this.#with([bytes, 0], (vector) => world.ibcastInto(vector, { root }))
      case 'reduce':
        return await this.#with([bytes, bytes], (from, to) =>
          world.ireduceInto(from, to, SUM, { root }),
        )
      case 'allreduce':
        return await this.#with([bytes, bytes], (from, to) => world.iallreduceInto(from, to, SUM))
      case 'scan':
        return await this.#with([bytes, bytes], (from, to) => world.iscanInto(from, to, SUM))
      case 'exscan':
        return await this.#with([bytes, bytes], (from, to) => world.iexscanInto(from, to, SUM))
      case 'gather':
        return await this.#with([bytes, all], (from, to) => world.igatherInto(from, to, { root }))
      case 'allgather':
        return await this.#with([bytes, all], (from, to) => world.iallgatherInto(from, to))
      case 'scatter':
        return await this.#with([all, bytes], (from, to) => world.iscatterInto(from, to, { root }))
      case 'alltoall':
        return await this.#with([all, all], (from, to) => world.ialltoallInto(from, to))
    }
  }

  /** Runs a collective on two buffers of these sizes. */
  async #with(
    [first, second]: readonly [number, number],
    run: (from: Uint8Array, to: Uint8Array) => Request<unknown>,
  ): Promise<void> {
    const [from, to] = [this.#take(first), this.#take(second)]
    await run(from.subarray(0, first), to.subarray(0, second))
    this.#give(from)
    this.#give(to)
  }

  /** Sizes double, so that few are needed; ranks share them. */
  #take(bytes: number): Uint8Array {
    const size = 2 ** Math.ceil(Math.log2(Math.max(bytes, 64)))
    return this.#free.get(size)?.pop() ?? this.#mpi.alloc(Uint8Array, size)
  }

  #give(buffer: Uint8Array): void {
    const free = this.#free.get(buffer.length)
    if (free === undefined) this.#free.set(buffer.length, [buffer])
    else free.push(buffer)
  }
}

function sumOf(counts: readonly number[]): number {
  return counts.reduce((sum, count) => sum + count, 0)
}
