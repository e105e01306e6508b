// The physics, with nothing about ranks in it. Three numbers a body: x, y, z.

export type Bodies = { positions: Float64Array; velocities: Float64Array; mass: number }

const timeStep = 0.005
/** Keeps the pull finite when two bodies meet. */
const softening = 0.05
const totalMass = 1

/** Bodies `first` to `end` of the `count` that there are: the same ones, whoever makes them. */
export function newBodies(count: number, first: number, end: number): Bodies {
  const positions = new Float64Array(3 * (end - first))
  const velocities = new Float64Array(3 * (end - first))
  for (let body = first; body < end; body++) {
    const at = 3 * (body - first)
    // A ball of golden-angle directions, turning slowly about its z axis.
    const z = 1 - (2 * body + 1) / count
    const angle = body * Math.PI * (3 - Math.sqrt(5))
    const distance = 0.4 + (0.6 * ((body * 7) % count)) / count
    const across = Math.sqrt(1 - z * z) * distance
    positions.set([across * Math.cos(angle), across * Math.sin(angle), z * distance], at)
    velocities.set([-0.6 * positions[at + 1], 0.6 * positions[at], 0], at)
  }
  return { positions, velocities, mass: totalMass / count }
}

/**
 * Adds to `pull` what the bodies at `others` pull on those at `positions`, in units of a body's mass.
 * Returns the potential energy between them, in units of the mass squared.
 */
export function addPull(pull: Float64Array, positions: Float64Array, others: Float64Array): number {
  let potential = 0
  for (let body = 0; body < positions.length; body += 3) {
    for (let other = 0; other < others.length; other += 3) {
      const dx = others[other] - positions[body]
      const dy = others[other + 1] - positions[body + 1]
      const dz = others[other + 2] - positions[body + 2]
      const distance2 = dx * dx + dy * dy + dz * dz
      // A body is among those that pull, but not on itself.
      if (distance2 === 0) continue
      const inverse = 1 / Math.sqrt(distance2 + softening * softening)
      const strength = inverse * inverse * inverse
      pull[body] += dx * strength
      pull[body + 1] += dy * strength
      pull[body + 2] += dz * strength
      potential -= inverse
    }
  }
  return potential
}

/** Half a time step of acceleration. */
export function push({ velocities, mass }: Bodies, pull: Float64Array): void {
  for (let index = 0; index < velocities.length; index++) {
    velocities[index] += (timeStep / 2) * mass * pull[index]
  }
}

/** A time step of motion. */
export function move({ positions, velocities }: Bodies): void {
  for (let index = 0; index < positions.length; index++) {
    positions[index] += timeStep * velocities[index]
  }
}

/** Of these bodies; `potential` as from `addPull`, where every pair of bodies is counted twice. */
export function energyOf({ velocities, mass }: Bodies, potential: number): number {
  let squares = 0
  for (const velocity of velocities) squares += velocity * velocity
  return (mass * squares) / 2 + (mass * mass * potential) / 2
}
