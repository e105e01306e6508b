// npm run mutation: bundles main.ts, which is TypeScript, and runs it.

import { createRequire } from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'

const here = new URL('./', import.meta.url)
const mpi = fileURLToPath(new URL('../../../mpi/package.json', here))
const { build } = createRequire(mpi)('esbuild')
const outfile = fileURLToPath(new URL('../../../../.cache/mutation/main.mjs', here))

await build({
  entryPoints: [fileURLToPath(new URL('main.ts', here))],
  outfile,
  bundle: true,
  platform: 'node',
  format: 'esm',
  packages: 'external',
  // The bundle lies elsewhere, and still finds what lies beside its sources.
  define: { 'import.meta.url': JSON.stringify(here.href + 'main.ts') },
})
await import(pathToFileURL(outfile).href)
