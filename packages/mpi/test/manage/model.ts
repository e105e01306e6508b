/**
 * What making communicators must give, computed by one process that knows everything: a family is
 * what one call gives to all ranks of the world, each its communicator or none.
 */
export interface Place {
  /** World ranks by rank. */
  readonly members: readonly number[]
  readonly grid?: Grid
}

export interface Grid {
  readonly dims: readonly number[]
  readonly periods: readonly boolean[]
}

export type Family = readonly (Place | undefined)[]

/** One call, as all ranks that have a communicator of a family make it. Lists are by world rank. */
export type Step =
  | { readonly make: 'dup'; readonly of: number }
  | { readonly make: 'split'; readonly of: number; readonly colors: Colors; readonly keys: Numbers }
  | { readonly make: 'splitType'; readonly of: number; readonly keys: Numbers }
  | {
      readonly make: 'create' | 'createGroup'
      readonly of: number
      readonly chosen: readonly boolean[]
      readonly keys: Numbers
    }
  | { readonly make: 'createCart'; readonly of: number; readonly grid: Grid }
  | { readonly make: 'sub'; readonly of: number; readonly keep: readonly boolean[] }

/** `null`: no colour. */
type Colors = readonly (number | null)[]
type Numbers = readonly number[]

export function world(ranks: number): Family {
  const members = Array.from({ length: ranks }, (_, rank) => rank)
  return members.map(() => ({ members }))
}

/** What a step makes of the families that are there. */
export function made(step: Step, families: readonly Family[]): Family {
  const family = parentOf(step, families)
  return family.map((place, rank) => place && partOf(step, place, rank))
}

/** The family that a step is about. */
export function parentOf(step: Step, families: readonly Family[]): Family {
  return families[step.of % families.length]!
}

/** The members of a group in the order in which a step names them. */
export function groupOf(
  { chosen, keys }: { readonly chosen: readonly boolean[]; readonly keys: Numbers },
  { members }: Place,
): number[] {
  return byKey(members, keys).filter((rank) => chosen[rank])
}

/** A grid that a communicator has room for: as much of the one that is wished for as fits. */
export function fittingGrid({ dims, periods }: Grid, { members }: Place): Grid {
  let room = members.length
  const fitting = dims.map((extent) => {
    const taken = Math.min(extent, room)
    room = Math.floor(room / taken)
    return taken
  })
  return { dims: fitting, periods }
}

/** Row-major coordinates. */
export function coordsOf(dims: readonly number[], rank: number): number[] {
  let rest = rank
  const coords: number[] = []
  for (let dimension = dims.length - 1; dimension >= 0; dimension--) {
    coords[dimension] = rest % dims[dimension]!
    rest = (rest - coords[dimension]!) / dims[dimension]!
  }
  return coords
}

function partOf(step: Step, place: Place, rank: number): Place | undefined {
  const { members } = place
  switch (step.make) {
    case 'dup':
      return place
    case 'split': {
      const color = step.colors[rank]
      if (color === null) return undefined
      return { members: byKey(members, step.keys).filter((one) => step.colors[one] === color) }
    }
    case 'splitType':
      return { members: byKey(members, step.keys) }
    case 'create':
    case 'createGroup': {
      const group = groupOf(step, place)
      return group.includes(rank) ? { members: group } : undefined
    }
    case 'createCart': {
      const grid = fittingGrid(step.grid, place)
      const size = grid.dims.reduce((product, extent) => product * extent, 1)
      return members.indexOf(rank) < size ? { members: members.slice(0, size), grid } : undefined
    }
    case 'sub':
      return subOf(place, rank, step.keep)
  }
}

/** Of what is no grid the whole. */
function subOf(place: Place, rank: number, keep: readonly boolean[]): Place {
  const { members, grid } = place
  if (grid === undefined) return place
  const at = coordsOf(grid.dims, members.indexOf(rank))
  const together = members.filter((_, index) => {
    const other = coordsOf(grid.dims, index)
    return at.every((coordinate, dimension) => keep[dimension] || coordinate === other[dimension])
  })
  const kept = <T>(list: readonly T[]): T[] => list.filter((_, dimension) => keep[dimension])
  return { members: together, grid: { dims: kept(grid.dims), periods: kept(grid.periods) } }
}

/** By insertion: equal keys keep their order. */
function byKey(members: readonly number[], keys: Numbers): number[] {
  const sorted: number[] = []
  for (const member of members) {
    let at = sorted.length
    while (at > 0 && keys[sorted[at - 1]!]! > keys[member]!) at--
    sorted.splice(at, 0, member)
  }
  return sorted
}
