import {
  ANY_SOURCE,
  ANY_TAG,
  CartesianCommunicator,
  SUM,
  UNDEFINED,
  type Communicator,
  type Mpi,
  type Request,
  type SplitOptions,
} from '@commworld/mpi'
import {
  coordsOf,
  fittingGrid,
  groupOf,
  made,
  parentOf,
  world,
  type Family,
  type Place,
  type Step,
} from './model.js'
import type { Batch, Script } from './script.js'

/** How a rank waits: with plain verbs, or with `await` on i-forms. */
export type Style = 'plain' | 'await'

/** A communicator that this rank has, and what it must be. */
interface Held {
  readonly communicator: Communicator
  readonly place: Place
  readonly family: number
}

/**
 * Runs this rank's part of a script. Throws at the first communicator that is not what the model
 * says, and at the first message that comes from another one.
 */
export async function run(mpi: Mpi, script: Script, style: Style): Promise<void> {
  const families: Family[] = [world(script.ranks)]
  const held: (Held | undefined)[] = [
    { communicator: mpi.world, place: families[0]![mpi.world.rank]!, family: 0 },
  ]
  for (const batch of script.batches) {
    await runBatch(mpi, batch, style, families, held)
    await lookAt(mpi, inOrder(open(held), batch.order), style)
    for (const freed of batch.freed) {
      const index = freed % held.length
      const one = held[index]
      if (index === 0 || one === undefined) continue
      one.communicator.free()
      held[index] = undefined
    }
  }
  // The others are still there: none of them was ever the last one's.
  await lookAt(mpi, open(held), style)
  for (const { communicator, family } of open(held)) if (family > 0) communicator.free()
}

function open(held: readonly (Held | undefined)[]): Held[] {
  return held.filter((one) => one !== undefined)
}

/** Begins all steps, with other traffic between them, and ends them. */
async function runBatch(
  mpi: Mpi,
  { steps }: Batch,
  style: Style,
  families: Family[],
  held: (Held | undefined)[],
): Promise<void> {
  const rank = mpi.world.rank
  const before = [...families]
  const parents = [...held]
  const asides: Request<unknown>[] = []
  const begun: (Promise<Communicator | undefined> | undefined)[] = []
  for (const [number, step] of steps.entries()) {
    const index = step.of % before.length
    const parent = parents[index]
    asides.push(mpi.world.iallreduce(1, SUM))
    families.push(
      made(
        step,
        before.map((family, at) => (at === index ? unlessFreed(family, at) : family)),
      ),
    )
    begun.push(parent && begin(parent, step, number, style))
  }
  for (const [number, step] of steps.entries()) {
    const family = families[before.length + number]!
    const place = family[rank]
    const communicator = await begun[number]
    const parent = parentOf(step, before)[rank]
    if (begun[number] === undefined) {
      held.push(undefined)
      continue
    }
    if (parent === undefined || (place === undefined) !== (communicator === undefined)) {
      throw new Error(`${step.make} gives ${communicator?.name}, but ${JSON.stringify(place)}`)
    }
    held.push(communicator && { communicator, place: place!, family: before.length + number })
  }
  for (const aside of asides) {
    const sum = style === 'await' ? await aside : aside.wait()
    if (sum !== mpi.world.size) throw new Error(`the sum is ${String(sum)}`)
  }

  /** Of a family that was freed nothing more is made. */
  function unlessFreed(family: Family, at: number): Family {
    return parents[at] === undefined && family[rank] !== undefined
      ? family.map(() => undefined)
      : family
  }
}

function begin(
  { communicator, place }: Held,
  step: Step,
  tag: number,
  style: Style,
): Promise<Communicator | undefined> {
  const { rank, group } = communicator
  const worldRank = place.members[rank]!
  const plain = style === 'plain'
  const ended = <T>(request: PromiseLike<T>): Promise<T> => Promise.resolve(request)
  const chosen = (): ReturnType<typeof group.incl> => {
    const wanted = groupOf(step as Extract<Step, { make: 'create' | 'createGroup' }>, place)
    return group.incl(wanted.map((one) => place.members.indexOf(one)))
  }
  switch (step.make) {
    case 'dup':
      return plain ? Promise.resolve(communicator.dup()) : ended(communicator.idup())
    case 'split': {
      const color = step.colors[worldRank] ?? UNDEFINED
      const options: SplitOptions = { color, key: step.keys[worldRank]! }
      return plain
        ? Promise.resolve(communicator.split(options))
        : ended(communicator.isplit(options))
    }
    case 'splitType': {
      const options = { type: 'shared' as const, key: step.keys[worldRank]! }
      return plain
        ? Promise.resolve(communicator.splitType(options))
        : ended(communicator.isplitType(options))
    }
    case 'create':
      return plain
        ? Promise.resolve(communicator.create(chosen()))
        : ended(communicator.icreate(chosen()))
    case 'createGroup': {
      const members = chosen()
      if (members.rank === undefined) return Promise.resolve(undefined)
      return plain
        ? Promise.resolve(communicator.createGroup(members, { tag }))
        : ended(communicator.icreateGroup(members, { tag }))
    }
    case 'createCart': {
      const options = fittingGrid(step.grid, place)
      return plain
        ? Promise.resolve(communicator.createCart(options))
        : ended(communicator.icreateCart(options))
    }
    case 'sub': {
      if (!(communicator instanceof CartesianCommunicator)) {
        return plain ? Promise.resolve(communicator.dup()) : ended(communicator.idup())
      }
      const keep = step.keep.slice(0, communicator.dims.length)
      return plain ? Promise.resolve(communicator.sub(keep)) : ended(communicator.isub(keep))
    }
  }
}

/** Looks at each communicator, and at all of them at once. */
async function lookAt(mpi: Mpi, held: readonly Held[], style: Style): Promise<void> {
  for (const one of held) checkFacts(mpi, one)
  for (const { communicator, place } of [...held].sort((a, b) => a.family - b.family)) {
    const own = mpi.world.rank
    const ranks =
      style === 'await' ? await communicator.iallgather(own) : communicator.allgather(own)
    same(`ranks in ${communicator.name}`, ranks, place.members)
  }
  await exchange(mpi, held, style)
}

function checkFacts(mpi: Mpi, { communicator, place }: Held): void {
  const { members, grid } = place
  const own = mpi.world.rank
  const name = communicator.name
  same(`size of ${name}`, communicator.size, members.length)
  same(`rank in ${name}`, communicator.rank, members.indexOf(own))
  const ranks = members.map((_, rank) => rank)
  same(`group of ${name}`, communicator.group.translateRanks(ranks, mpi.world.group), members)
  const similar = members.length === mpi.world.size
  const order = members.every((member, rank) => member === rank)
  const relation = communicator === mpi.world ? 'identical' : order ? 'congruent' : 'similar'
  same(`${name} and world`, communicator.compare(mpi.world), similar ? relation : 'unequal')
  if (!(communicator instanceof CartesianCommunicator)) {
    same(`grid of ${name}`, undefined, grid)
    return
  }
  same(`dims of ${name}`, communicator.dims, grid!.dims)
  same(`periods of ${name}`, communicator.periods, grid!.periods)
  for (const rank of ranks) {
    const coords = coordsOf(grid!.dims, rank)
    same(`coords in ${name}`, communicator.coords(rank), coords)
    same(`rank at ${coords.join()} of ${name}`, communicator.rankAt(coords), rank)
  }
}

/** A message around the ring of each communicator, all under way together and alike but for where. */
async function exchange(mpi: Mpi, held: readonly Held[], style: Style): Promise<void> {
  const receives = held.map(({ communicator }) =>
    communicator.irecv<number[]>({ source: ANY_SOURCE, tag: ANY_TAG }),
  )
  const sends = held.toReversed().map(({ communicator, family }) => {
    const { rank, size } = communicator
    return communicator.isend([family, mpi.world.rank], { dest: (rank + 1) % size, tag: 5 })
  })
  for (const [index, receive] of receives.entries()) {
    const { communicator, place, family } = held[index]!
    const { rank, size } = communicator
    const value = style === 'await' ? await receive : receive.wait()
    const left = (rank + size - 1) % size
    same(`message in ${communicator.name}`, value, [family, place.members[left]])
    same(`source in ${communicator.name}`, receive.status.source, left)
  }
  for (const send of sends) {
    if (style === 'await') await send
    else send.wait()
  }
}

/** Some order of the list that depends on the number. */
function inOrder<T>(list: readonly T[], number: number): T[] {
  const rest = [...list]
  const order: T[] = []
  for (let left = number; rest.length > 0; left = Math.floor(left / 7) + 1) {
    order.push(...rest.splice(left % rest.length, 1))
  }
  return order
}

function same(what: string, seen: unknown, expected: unknown): void {
  if (JSON.stringify(seen) === JSON.stringify(expected)) return
  throw new Error(`${what}: ${JSON.stringify(seen)} instead of ${JSON.stringify(expected)}`)
}
