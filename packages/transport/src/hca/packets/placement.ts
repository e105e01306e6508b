import type { PacketNetwork } from '../../fabric/packets/network.js'

/** Bytes on their way into memory. */
export interface Piece {
  readonly address: number
  readonly bytes: Uint8Array
}

/** Into how many parts a piece is cut where its bytes may appear in any order. */
const PARTS = 4
/** Time between two parts. */
const PART_NS = 10

/**
 * Puts pieces into memory, then calls `placed`: at once and in order where the network keeps data in
 * order; otherwise part by part, in an order that the choice stream draws, with time in between.
 */
export function place(
  network: PacketNetwork,
  memory: Uint8Array,
  pieces: readonly Piece[],
  placed: () => void,
): void {
  const { choices } = network
  if (network.dataInOrder || choices === undefined) {
    for (const { address, bytes } of pieces) memory.set(bytes, address)
    placed()
    return
  }
  const parts = pieces.flatMap(cut)
  const next = (): void => {
    if (parts.length === 0) return placed()
    const [{ address, bytes }] = parts.splice(choices.choose(parts.length, 'place'), 1) as [Piece]
    memory.set(bytes, address)
    network.time.schedule(PART_NS, next)
  }
  next()
}

function cut({ address, bytes }: Piece): Piece[] {
  const length = Math.max(1, Math.ceil(bytes.length / PARTS))
  const parts: Piece[] = []
  for (let skip = 0; skip < bytes.length; skip += length) {
    parts.push({ address: address + skip, bytes: bytes.subarray(skip, skip + length) })
  }
  return parts
}
