import { spawn } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type * as Esbuild from '../../../mpi/node_modules/esbuild/lib/main.js'
import { suites, type Mutant, type SuiteName } from './mutant.js'
import type { Verdict } from './vitest-in-bundle.js'

/** How it went for a mutant; of one that never came to an end the limit is what stopped it. */
export interface Judgement {
  readonly mutant: Mutant
  readonly caughtBy: string | undefined
  readonly runs: number
  readonly ms: number
  readonly error: string
}

/** The file has changed since the mutant was written. */
export class StaleMutantError extends Error {
  override readonly name = 'StaleMutantError'
}

const root = fileURLToPath(new URL('../../../../', import.meta.url))
const here = fileURLToPath(new URL('./', import.meta.url))
/** The bundler of programs, which the package of those brings along. */
const { build } = createRequire(join(root, 'packages/mpi/package.json'))(
  'esbuild',
) as typeof Esbuild

/** A property needs seconds at most: what takes longer hangs. */
const LIMIT_MS = 60_000
/** These need threads, which load what is built and not what is bundled; or they measure the suite itself. */
const WITHOUT = 'thread|launch|mutants'

/** The text of a file with the mutant in it. */
export async function mutated({ name, file, find, replace }: Mutant): Promise<string> {
  const source = await readFile(join(root, file), 'utf8')
  const parts = source.split(find)
  if (parts.length === 2) return parts.join(replace)
  throw new StaleMutantError(`${name}: ${parts.length - 1} places in ${file} are\n${find}`)
}

/** Bundles the tests of a suite with a mutant in the packages, and runs them until one fails. */
export async function judge(mutant: Mutant, seed: number): Promise<Judgement> {
  const verdict = await verdictOn(mutant.suite, seed, mutant)
  return {
    mutant,
    caughtBy: verdict.failed,
    runs: verdict.runs,
    ms: verdict.ms,
    error: verdict.error,
  }
}

/** The same without a mutant, when none is given. */
export async function verdictOn(suite: SuiteName, seed: number, mutant?: Mutant): Promise<Verdict> {
  // Within the repository, so that a bundle finds the packages that it looks up when it runs.
  await mkdir(join(root, '.cache/mutation'), { recursive: true })
  const folder = await mkdtemp(join(root, '.cache/mutation/'))
  try {
    const bundle = join(folder, 'tests.mjs')
    await bundled(suite, seed, bundle, mutant)
    return await run(bundle)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function bundled(
  suite: SuiteName,
  seed: number,
  outfile: string,
  mutant: Mutant | undefined,
): Promise<void> {
  const files = suites[suite].map((file) => `import ${JSON.stringify(join(root, file))}`)
  const lines = [
    ...files,
    `import { runAll } from ${JSON.stringify(join(here, 'vitest-in-bundle.ts'))}`,
    `const verdict = await runAll(${seed}, /${WITHOUT}/i)`,
    `console.log(JSON.stringify(verdict))`,
    `process.exit(0)`,
  ]
  await build({
    stdin: { contents: lines.join('\n'), resolveDir: here, loader: 'ts' },
    outfile,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    // Tests are imported for what they do, though their packages say that files do nothing.
    ignoreAnnotations: true,
    logLevel: 'silent',
    external: ['esbuild'],
    // Packages in CommonJS ask for modules of Node in their own way.
    banner: {
      js: `import { createRequire as makeRequire } from 'node:module'; const require = makeRequire(import.meta.url)`,
    },
    plugins: [
      sources(mutant === undefined ? undefined : [mutant.file, await mutated(mutant)]),
      ...(suite === 'hca' ? [mockedLock] : []),
    ],
  })
}

/** Takes the packages from their sources, one file of them changed, and the runner for vitest. */
function sources(changed: readonly [file: string, text: string] | undefined): Esbuild.Plugin {
  return {
    name: 'sources',
    setup({ onResolve, onLoad, resolve }) {
      onResolve({ filter: /^vitest$/ }, () => ({ path: join(here, 'vitest-in-bundle.ts') }))
      onResolve({ filter: /^@vitest\/expect$/ }, ({ path, kind, pluginData }) =>
        pluginData === 'found'
          ? undefined
          : resolve(path, {
              kind,
              resolveDir: dirname(createRequire(join(root, 'package.json')).resolve('vitest')),
              pluginData: 'found',
            }),
      )
      onResolve({ filter: /^@commworld\/[a-z]+(\/[a-z]+)?$/ }, ({ path }) => {
        const [, name, entry = 'index'] = path.split('/')
        const folder = name === 'transport' ? ENTRIES : {}
        return { path: join(root, 'packages', name!, 'src', `${folder[entry] ?? entry}.ts`) }
      })
      if (changed === undefined) return
      const [file, contents] = changed
      onLoad({ filter: /\.ts$/ }, ({ path }) =>
        path === join(root, file) ? { contents, loader: 'ts' } : undefined,
      )
    },
  }
}

/** The explorer of interleavings counts who holds a lock in place of waiting for it. */
const mockedLock: Esbuild.Plugin = {
  name: 'mocked lock',
  setup({ onLoad }) {
    onLoad({ filter: /src\/ring\/spin-lock\.ts$/ }, () => ({
      loader: 'js',
      contents: `
        const mocked = () => globalThis.mocked['spin-lock.js']
        export const lock = (...words) => mocked().lock(...words)
        export const unlock = (...words) => mocked().unlock(...words)`,
    }))
  },
}

/** Entries of packages whose file has another name. */
const ENTRIES: Readonly<Record<string, string>> = { simulated: 'fabric/simulated/index' }

function run(bundle: string): Promise<Verdict> {
  return new Promise((resolve, reject) => {
    const start = performance.now()
    const child = spawn(process.execPath, [bundle], {
      cwd: root,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let output = ''
    let errors = ''
    child.stdout.on('data', (chunk) => (output += String(chunk)))
    child.stderr.on('data', (chunk) => (errors += String(chunk)))
    const limit = setTimeout(() => child.kill('SIGKILL'), LIMIT_MS)
    child.on('error', reject)
    child.on('close', (code, signal) => {
      clearTimeout(limit)
      const ms = Math.round(performance.now() - start)
      const last = output.trimEnd().split('\n').at(-1) ?? ''
      if (code === 0 && last.startsWith('{')) return resolve(JSON.parse(last) as Verdict)
      const failed = signal === 'SIGKILL' ? 'the time limit' : 'the end of the process'
      resolve({ failed, tests: 0, runs: 0, ms, error: errors.slice(0, 2000) })
    })
  })
}
