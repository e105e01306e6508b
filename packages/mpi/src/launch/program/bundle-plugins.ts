import { readFile } from 'node:fs/promises'
import { builtinModules } from 'node:module'
import { dirname, sep } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import type { ImportKind, Loader, OnResolveResult, Plugin } from 'esbuild'

const builtins = new Set(builtinModules)
const insidePackages = `${sep}node_modules${sep}`

/**
 * Imports of packages stay imports, as absolute addresses: the bundle lies in a temporary folder
 * where nothing could be found. `@commworld/*` always means this installation, so that program and
 * runtime share one instance of every module. A workspace's own sources are bundled.
 */
export const packageImports: Plugin = {
  name: 'package-imports',
  setup(build) {
    build.onResolve(
      { filter: /^[^./]/ },
      async ({ path, kind, resolveDir, importer, pluginData }) => {
        if (kind === 'entry-point' || pluginData === resolving) return undefined
        if (path.startsWith('node:') || builtins.has(path)) return { path, external: true }
        if (path.startsWith('@commworld/')) {
          const own = resolveHere(path)
          if (own) return outside(own, kind)
        }
        const found = await build.resolve(path, {
          kind,
          resolveDir,
          importer,
          pluginData: resolving,
        })
        if (found.errors.length > 0 || found.external || found.namespace !== 'file')
          return undefined
        return found.path.includes(insidePackages) && isNodeModule(found.path)
          ? outside(found.path, kind)
          : undefined
      },
    )
  },
}

/** Marks our own question to esbuild's resolver. */
const resolving = Symbol('resolving')

function resolveHere(specifier: string): string | undefined {
  try {
    return fileURLToPath(import.meta.resolve(specifier))
  } catch {
    return undefined
  }
}

function outside(path: string, kind: ImportKind): OnResolveResult {
  const called = kind === 'require-call' || kind === 'require-resolve'
  return { path: called ? path : pathToFileURL(path).href, external: true }
}

function isNodeModule(path: string): boolean {
  return /\.([cm]?js|node)$/.test(path)
}

/** esbuild writes these names for `import.meta.*`; each source file that needs them declares its own. */
export const IMPORT_META_NAMES = {
  'import.meta.url': '__importMetaUrl',
  'import.meta.filename': '__importMetaFilename',
  'import.meta.dirname': '__importMetaDirname',
}

/** Keeps `import.meta.url`, `filename` and `dirname` those of the source. */
export const importMeta: Plugin = {
  name: 'import-meta',
  setup(build) {
    build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8')
      if (!source.includes('import.meta')) return undefined
      return { contents: afterHashbang(source, declarations(path)), loader: loaderOf(path) }
    })
  },
}

function declarations(path: string): string {
  const quoted = [pathToFileURL(path).href, path, dirname(path)].map((text) => JSON.stringify(text))
  return `const __importMetaUrl=${quoted[0]},__importMetaFilename=${quoted[1]},__importMetaDirname=${quoted[2]};`
}

/** Inserts without a line break, so that line numbers stay. */
function afterHashbang(source: string, inserted: string): string {
  const end = source.startsWith('#!') ? source.indexOf('\n') + 1 : 0
  return source.slice(0, end) + inserted + source.slice(end)
}

function loaderOf(path: string): Loader {
  return /\.[cm]?(ts|js)(x?)$/.exec(path)!.slice(1).join('') as Loader
}
