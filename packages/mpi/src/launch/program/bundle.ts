import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { BuildFailure } from 'esbuild'
import { importMeta, IMPORT_META_NAMES, packageImports } from './bundle-plugins.js'
import { SpawnError } from './spawn-error.js'

/** A program as the ranks load it: one file. Structured-cloneable. */
export interface Bundle {
  /** The file to import. */
  readonly url: string
  /** Its source map. */
  readonly mapFile: string
  /** The program as the user wrote it. */
  readonly written: string
  /** The program's own path. */
  readonly sourceFile: string
}

/** Temporary files of one job, removed at its end. */
export class BundleFolder {
  readonly path = mkdtempSync(join(tmpdir(), 'commworld-'))
  #programs = 0

  /**
   * Bundles a program and all it imports from source; packages stay where they are.
   * Throws `SpawnError` with esbuild's message, line and caret.
   */
  async add(sourceFile: string, written: string): Promise<Bundle> {
    const outfile = join(this.path, `program-${this.#programs++}.mjs`)
    // Loading esbuild takes as long as bundling: not before it is needed.
    const esbuild = await import('esbuild')
    try {
      await esbuild.build({
        entryPoints: [sourceFile],
        outfile,
        bundle: true,
        format: 'esm',
        platform: 'node',
        target: 'node20',
        // An empty list leaves out the condition `module`, which names files that Node does not load.
        conditions: [],
        charset: 'utf8',
        sourcemap: 'external',
        sourcesContent: false,
        legalComments: 'none',
        logLevel: 'silent',
        banner: { js: requireFor(sourceFile) },
        plugins: [packageImports, importMeta],
        define: IMPORT_META_NAMES,
      })
    } catch (error) {
      const { errors } = error as BuildFailure
      if (!errors?.length) throw error
      const text = await esbuild.formatMessages(errors.slice(0, 5), {
        kind: 'error',
        color: process.stderr.isTTY,
      })
      throw new SpawnError(written, `the program does not build\n\n${text.join('\n').trimEnd()}`)
    }
    return { url: pathToFileURL(outfile).href, mapFile: `${outfile}.map`, written, sourceFile }
  }

  /** Removes the files. May be called again, and while another process does the same. */
  remove(): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** CommonJS sources call `require` for what stays outside the bundle. */
function requireFor(sourceFile: string): string {
  const from = JSON.stringify(sourceFile)
  return `import{createRequire as __createRequire}from'node:module';var require=__createRequire(${from});`
}
