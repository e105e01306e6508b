import { ArgumentError } from '../errors/index.js'

/**
 * Untyped programs give anything. Holes in the list are found by who looks at its entries, as
 * long as it does so by index.
 *
 * @throws ArgumentError when it is no array
 */
export function checkList(argument: string, seen: readonly unknown[], expected: string): void {
  if (!Array.isArray(seen)) throw new ArgumentError({ argument, seen, expected })
}
