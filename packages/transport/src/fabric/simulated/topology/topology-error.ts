/** A topology or a routing that cannot be made as described. */
export class TopologyError extends Error {
  override readonly name: string = 'TopologyError'
  readonly code: string = 'TOPOLOGY'
}

/** @throws TopologyError when a size is no whole number from `min` */
export function checkSize(what: string, value: number, min = 1): void {
  if (Number.isInteger(value) && value >= min) return
  throw new TopologyError(`${what} must be a whole number from ${min}, not ${value}`)
}
