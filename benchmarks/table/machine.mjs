/** What the figures were taken on. */
import { availableParallelism, cpus, loadavg, release, totalmem, type } from 'node:os'

export function describeMachine() {
  return {
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGibibytes: Math.round(totalmem() / 2 ** 30),
    system: `${type()} ${release()}`,
    node: process.version,
    loadBefore: loadavg()[0]?.toFixed(2) ?? '?',
    date: new Date().toISOString().slice(0, 10),
  }
}
