import type { Topology } from '../topology/topology.js'

/** What `route` gives instead of a number of links. */
export const UNREACHABLE = -1
export const LOOPS = -2

/** How busy links are, as far as a switch can see it. */
export interface LinkLoad {
  /** Transfers under way on a link. */
  loadOf(link: number): number
}

/** Which links a message takes. */
export interface Routing {
  readonly name: string
  readonly topology: Topology
  /** Whether the way depends on what the network does at that time. */
  readonly adaptive: boolean
  /** Links of the longest way. */
  readonly linksMax: number
  /**
   * Writes the links from a host to another into `path`, the host's own first. A host reaches itself
   * without any.
   *
   * @param load what adaptive routing looks at; without it links count as idle
   * @returns how many links, `UNREACHABLE`, or `LOOPS`
   */
  route(source: number, dest: number, path: Int32Array, load?: LinkLoad): number
}

/** Switches on a way of this many links. */
export function switchHops(links: number): number {
  return links < 1 ? 0 : links - 1
}

/** A well mixed number from 0 to 2^32 - 1: what static hashing draws from. Steele, Lea, Flood 2014. */
export function hash(seed: number, a: number, b: number, c = 0): number {
  let h =
    (seed ^ Math.imul(a, 0x9e3779b1) ^ Math.imul(b, 0x85ebca6b) ^ Math.imul(c, 0xc2b2ae35)) | 0
  h = Math.imul(h ^ (h >>> 16), 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15), 0x735a2d97)
  h ^= h >>> 15
  // Once more: one round leaves neighbours alike when three numbers were folded into one before.
  h = Math.imul(h ^ (h >>> 16) ^ a, 0x21f0aaad)
  h = Math.imul(h ^ (h >>> 15) ^ b, 0x735a2d97)
  return (h ^ (h >>> 15)) >>> 0
}
