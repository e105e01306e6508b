// One hash over the names and contents of files, to tell whether work is up to date.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'

/**
 * Patterns are paths below `root`; they know `*` as a whole folder name and `**` at the end for
 * everything below. Generated files do not count, what they are made from does.
 *
 * @param {string} root
 * @param {string[]} patterns
 * @param {string[]} facts what else the work depends on
 */
export function fingerprint(root, patterns, facts) {
  const hash = createHash('sha256')
  for (const fact of facts) hash.update(`${fact}\n`)
  for (const path of patterns.flatMap((pattern) => expand(root, pattern.split('/')))) {
    const contents = readFileSync(path)
    hash.update(`${path} ${contents.length}\n`).update(contents)
  }
  return hash.digest('hex')
}

function expand(folder, [part, ...rest]) {
  if (part === '**') return filesBelow(folder)
  const names = part === '*' ? readdirSync(folder).sort() : [part]
  const paths = names.map((name) => join(folder, name)).filter(existsSync)
  if (rest.length === 0) return paths
  return paths.filter(isFolder).flatMap((path) => expand(path, rest))
}

function filesBelow(folder) {
  const names = readdirSync(folder).sort()
  return names.flatMap((name) => {
    const path = join(folder, name)
    if (isFolder(path)) return filesBelow(path)
    return name.endsWith('.wasm.ts') ? [] : [path]
  })
}

function isFolder(path) {
  return statSync(path).isDirectory()
}
