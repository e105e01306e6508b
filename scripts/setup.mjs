// Makes the workspace ready to run: dependencies, then the build of both packages. What is up to
// date is skipped, so everything may call this first. It runs before anything is installed and
// uses nothing but Node. `--force` builds in any case.

import { spawn } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { fingerprint } from './fingerprint.mjs'
import { withLock } from './lock.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))
const force = process.argv.includes('--force')

requireNode(20, 19)
process.chdir(root)
mkdirSync('.cache', { recursive: true })

try {
  await withLock('.cache/setup.lock', say, async () => {
    await install()
    await build()
  })
} catch (error) {
  console.error(`commworld: ${error.message}`)
  process.exitCode = 1
}

async function install() {
  const manifest = JSON.parse(readFileSync('package.json', 'utf8'))
  const inputs = [
    'pnpm-lock.yaml',
    'pnpm-workspace.yaml',
    'package.json',
    'packages/*/package.json',
  ]
  // Packages bring binaries, so another system or processor needs another installation.
  const wanted = fingerprint('.', inputs, [process.platform, process.arch, manifest.packageManager])
  const stamp = 'node_modules/.commworld'
  if (read(stamp) === wanted) return

  // The stamp is taken away first: an installation that is interrupted must not look complete.
  rmSync(stamp, { force: true })
  const pnpm = ['-y', manifest.packageManager, 'install', '--frozen-lockfile']
  pnpm.push('--reporter=append-only', '--config.confirm-modules-purge=false')
  await step(`installing dependencies with ${manifest.packageManager}`, () =>
    run('npx', pnpm, { shell: process.platform === 'win32' }),
  )
  writeFileSync(stamp, wanted)
}

async function build() {
  const inputs = ['packages/*/src/**', 'packages/*/kernels/**', 'packages/*/tsup.config.ts']
  inputs.push('packages/*/package.json', 'tsconfig.base.json', 'pnpm-lock.yaml')
  const wanted = fingerprint('.', inputs, [])
  const stamp = '.cache/build'
  const outputs = [
    'transport/src/memory/kernels.wasm.ts',
    'transport/dist/index.js',
    'mpi/dist/index.js',
    'testing/dist/index.js',
  ]
  if (!force && outputs.every((path) => existsSync(`packages/${path}`)) && read(stamp) === wanted)
    return

  rmSync(stamp, { force: true })
  await step('building the kernels and the packages', async () => {
    await run(process.execPath, ['packages/transport/kernels/build.mjs'])
    for (const name of ['transport', 'mpi', 'testing']) {
      const tsup = join(root, 'node_modules/tsup/dist/cli-default.js')
      await run(process.execPath, [tsup, '--silent'], { cwd: join('packages', name) })
    }
  })
  writeFileSync(stamp, wanted)
}

async function step(title, work) {
  const start = Date.now()
  const seconds = () => Math.round((Date.now() - start) / 1000)
  say(`${title} ...`)
  const pulse = setInterval(() => say(`still ${title}, ${seconds()} s`), 10_000)
  try {
    await work()
  } finally {
    clearInterval(pulse)
  }
  say(`done in ${((Date.now() - start) / 1000).toFixed(1)} s`)
}

/** Runs a command whose output matters only when it fails. */
function run(command, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(command, args, {
      ...options,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const output = []
    child.stdout.on('data', (chunk) => output.push(chunk))
    child.stderr.on('data', (chunk) => output.push(chunk))
    child.on('error', reject)
    child.on('close', (status, signal) => {
      if (status === 0) return resolve()
      process.stderr.write(Buffer.concat(output))
      const line = [command, ...args].join(' ')
      reject(new Error(`setup failed: "${line}" ended with ${signal ?? `status ${status}`}`))
    })
  })
}

/** npm tells its scripts its own settings in the environment; pnpm would take them for its own. */
function environment() {
  const kept =
    /^npm_config_(registry|userconfig|globalconfig|cache|.*proxy|cafile|ca|strict_ssl|offline|prefer_offline)$/
  const entries = Object.entries(process.env)
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith('npm_') || kept.test(name)))
}

function requireNode(major, minor) {
  const [haveMajor, haveMinor] = process.versions.node.split('.').map(Number)
  if (haveMajor > major || (haveMajor === major && haveMinor >= minor)) return
  console.error(
    `commworld: Node ${major}.${minor} or newer is needed, this is Node ${process.versions.node}`,
  )
  process.exit(1)
}

function read(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}

function say(text) {
  console.error(`commworld: ${text}`)
}
