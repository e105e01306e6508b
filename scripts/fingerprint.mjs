// One hash over the names and contents of files, to tell whether work is up to date.

import { createHash } from 'node:crypto'
import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs'

/**
 * Patterns know `*` as a whole folder name and `**` at the end for everything below. Generated
 * files do not count, what they are made from does.
 */
export function fingerprint(patterns, facts) {
  const hash = createHash('sha256')
  for (const fact of facts) hash.update(`${fact}\n`)
  for (const path of patterns.flatMap((pattern) => expand(pattern.split('/')))) {
    const contents = readFileSync(path)
    hash.update(`${path} ${contents.length}\n`).update(contents)
  }
  return hash.digest('hex')
}

function expand([part, ...rest], folder = '') {
  if (part === '**') return filesBelow(folder)
  const names = part === '*' ? readdirSync(folder).sort() : [part]
  const paths = names.map((name) => (folder === '' ? name : `${folder}/${name}`)).filter(existsSync)
  if (rest.length === 0) return paths
  return paths.filter(isFolder).flatMap((path) => expand(rest, path))
}

function filesBelow(folder) {
  const paths = readdirSync(folder).sort()
  return paths.flatMap((name) => {
    const path = `${folder}/${name}`
    if (isFolder(path)) return filesBelow(path)
    return path.endsWith('.wasm.ts') ? [] : [path]
  })
}

function isFolder(path) {
  return statSync(path).isDirectory()
}
