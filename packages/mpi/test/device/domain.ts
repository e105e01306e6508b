import { createHcaTable, Device, WorldMemory, type ProtectionDomain } from '@commworld/transport'

/** A small world's memory and a protection domain of its only rank. */
export function smallWorld(bytes = 4 * 2 ** 20): { memory: WorldMemory; domain: ProtectionDomain } {
  const memory = WorldMemory.create({ bytes })
  createHcaTable(memory, 1)
  return { memory, domain: Device.open(memory, 0).allocateProtectionDomain() }
}
