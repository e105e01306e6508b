import type { Bundle } from './bundle.js'
import { SpawnError } from './spawn-error.js'

/** Imports a program and returns the function it exports. Throws `SpawnError` when there is none. */
export async function importMain<Main>(bundle: Bundle): Promise<Main> {
  const module = (await import(bundle.url)) as { default?: unknown }
  const exported = module.default
  if (typeof exported === 'function') return exported as Main
  // A CommonJS source that was compiled from an ES module has its default export one level down.
  const inner = (exported as { default?: unknown } | undefined | null)?.default
  if (typeof inner === 'function') return inner as Main
  throw new SpawnError(bundle.written, `${problemOf(module)}; write: ${EXAMPLE}`)
}

const EXAMPLE = 'export default function main({ world }) { ... }'

function problemOf(module: { default?: unknown }): string {
  if ('default' in module && module.default !== undefined) {
    return `the default export is no function but ${article(typeof module.default)}`
  }
  const names = Object.keys(module).filter((name) => name !== 'default')
  const beside = names.length > 0 ? ` (it exports ${names.join(', ')})` : ''
  return `the program has no default export${beside}`
}

function article(type: string): string {
  return /^[aeiou]/.test(type) ? `an ${type}` : `a ${type}`
}
