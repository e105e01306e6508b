/** Data rate of one lane in Gb/s, after coding (InfiniBand Architecture Specification; vendor manuals). */
const LANE_GIGABITS: Readonly<Record<string, number>> = {
  SDR: 2,
  DDR: 4,
  QDR: 8,
  FDR10: 10,
  FDR: 13.64,
  EDR: 25,
  HDR: 50,
  NDR: 100,
  XDR: 200,
}

/** Data rate of lanes, as many as a width in words has: `laneGigabits('4x', 'HDR')`; 0 when either is unknown. */
export function laneGigabits(width: string, speed: string): number {
  const lanes = Number(/^(\d+)x$/i.exec(width)?.[1] ?? 0)
  return lanes * (LANE_GIGABITS[speed] ?? 0)
}

/** Data rate of `4xHDR` or `4x EDR` somewhere in a text; 0 when there is none. */
export function gigabitsIn(text: string): number {
  const match = /\b(\d+)x\s?(SDR|DDR|QDR|FDR10|FDR|EDR|HDR|NDR|XDR)\b/.exec(text)
  return match === null ? 0 : laneGigabits(`${match[1]}x`, match[2]!)
}
