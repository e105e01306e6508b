import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BundleFolder } from '../../src/launch/program/bundle.js'
import { SourcePositions } from '../../src/launch/program/source-positions.js'
import { SpawnError } from '../../src/launch/program/spawn-error.js'

let folder: string
let bundles: BundleFolder

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'commworld-test-'))
  bundles = new BundleFolder()
})
afterEach(() => {
  bundles.remove()
  rmSync(folder, { recursive: true })
})

async function bundle(files: Record<string, string>) {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true })
    writeFileSync(join(folder, name), text)
  }
  const [program] = Object.keys(files)
  return await bundles.add(join(folder, program!), program!)
}

async function load(files: Record<string, string>): Promise<Record<string, unknown>> {
  const { url } = await bundle(files)
  return (await import(/* @vite-ignore */ url)) as Record<string, unknown>
}

describe('BundleFolder', () => {
  it('bundles TypeScript and what it imports', async () => {
    const { result } = await load({
      'main.ts':
        "import { two } from './two.js'\nimport data from './data.json'\nexport const result: number = two + data.three",
      'two.ts': 'export const two = 2 as const',
      'data.json': '{ "three": 3 }',
    })
    expect(result).toBe(5)
  })

  it.each(['main.mts', 'main.cts', 'main.js', 'main.mjs', 'main.tsx', 'main.jsx'])(
    'bundles %s',
    async (name) => {
      expect((await load({ [name]: 'export const result = 1' })).result).toBe(1)
    },
  )

  it('runs CommonJS that requires', async () => {
    const { default: result } = await load({
      'main.cjs': "const { sep } = require('path')\nmodule.exports = [sep, require('./other.cjs')]",
      'other.cjs': "module.exports = require('node:os').EOL",
    })
    expect(result).toEqual(['/', '\n'])
  })

  it("keeps each file's own import.meta, after a hashbang too", async () => {
    const exported = await load({
      'main.ts':
        '#!/usr/bin/env node\nimport { other } from "./part/other.js"\n' +
        'export const here = [import.meta.url, import.meta.filename, import.meta.dirname]\nexport { other }',
      'part/other.ts': 'export const other = new URL("./x.txt", import.meta.url).href',
    })
    const main = join(folder, 'main.ts')
    expect({ ...exported }).toMatchObject({
      here: [pathToFileURL(main).href, main, folder],
      other: pathToFileURL(join(folder, 'part/x.txt')).href,
    })
  })

  it('imports packages from where the program finds them', async () => {
    const { result, instance } = await load({
      'main.ts':
        "import { name, state } from 'some-package'\nimport { state as again } from './other.js'\n" +
        "import cjs from 'cjs-package'\nexport const result = [name, cjs.name]\nexport const instance = state === again",
      'other.ts': "export { state } from 'some-package'",
      'node_modules/some-package/package.json':
        '{ "name": "some-package", "type": "module", "exports": { "import": "./index.js", "require": "./no.cjs" } }',
      'node_modules/some-package/index.js':
        'export const name = import.meta.url.includes("node_modules/some-package/index.js")\nexport const state = {}',
      'node_modules/cjs-package/package.json': '{ "name": "cjs-package", "main": "./main.js" }',
      'node_modules/cjs-package/main.js':
        'exports.name = __filename.endsWith("cjs-package/main.js")',
    })
    expect({ result, instance }).toEqual({ result: [true, true], instance: true })
  })

  it('follows paths of a tsconfig, and imports made while running', async () => {
    const { result } = await load({
      'main.ts': "import { a } from '#lib/a'\nexport const result = a + (await import('./b.js')).b",
      'tsconfig.json': '{ "compilerOptions": { "paths": { "#lib/*": ["./lib/*"] } } }',
      'lib/a.ts': 'export const a = 1',
      'b.ts': 'export const b = 10',
    })
    expect(result).toBe(11)
  })

  it("lets a program define its own 'require'", async () => {
    const { result } = await load({
      'main.ts':
        "import { createRequire } from 'node:module'\nconst require = createRequire(import.meta.url)\n" +
        "export const result = require('node:path').sep",
    })
    expect(result).toBe('/')
  })

  it('refuses what does not parse, with line and caret', async () => {
    const refused = bundle({ 'main.ts': 'const x = 1\nconst y = ;\n' })
    await expect(refused).rejects.toThrow(SpawnError)
    await expect(refused).rejects.toThrow(
      /main\.ts: the program does not build[^]*main\.ts:2:10[^]*\^/,
    )
  })

  it('maps positions in the bundle to the sources', async () => {
    const built = await bundle({
      'main.ts':
        "import { fail } from './fail.js'\ninterface Unused { a: number }\n\nexport const stack = fail()",
      'fail.ts':
        'type Text = string\n\nexport function fail(): Text {\n  return new Error("x").stack!\n}',
    })
    const { stack } = (await import(/* @vite-ignore */ built.url)) as { stack: string }
    // The test runner loads the file by its path.
    const asLoaded = stack.replaceAll(fileURLToPath(built.url), built.url)
    const mapped = new SourcePositions(built).inText(asLoaded)
    expect(mapped).toContain(`at fail (${join(folder, 'fail.ts')}:4:10)`)
    expect(mapped).toContain(`${join(folder, 'main.ts')}:4:22`)
    expect(mapped).not.toContain(built.url)
  })
})
