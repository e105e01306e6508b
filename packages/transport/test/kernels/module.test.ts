import { describe, expect, test } from 'vitest'

import { KERNELS_WASM_BASE64 } from '../../src/memory/kernels.wasm.js'

const MAGIC_AND_VERSION_BYTES = 8
const TABLE_SECTION = 4
const START_SECTION = 8
const ELEMENT_SECTION = 9
const DATA_SECTION = 11

/** Ids of the sections of a module, in order. */
function sectionIds(wasm: Uint8Array): number[] {
  const ids: number[] = []
  let position = MAGIC_AND_VERSION_BYTES
  const unsigned = () => {
    let value = 0
    for (let shift = 0; ; shift += 7) {
      const byte = wasm[position++]!
      value |= (byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  while (position < wasm.length) {
    ids.push(wasm[position++]!)
    position += unsigned()
  }
  return ids
}

describe('kernels module', () => {
  const wasm = Buffer.from(KERNELS_WASM_BASE64, 'base64')
  const module = new WebAssembly.Module(wasm)

  test('has no start function and no data, so that instantiating it leaves memory alone', () => {
    const ids = sectionIds(wasm)
    expect(ids).not.toContain(START_SECTION)
    expect(ids).not.toContain(DATA_SECTION)
  })

  test('has no table: every call is direct', () => {
    expect(sectionIds(wasm)).not.toContain(TABLE_SECTION)
    expect(sectionIds(wasm)).not.toContain(ELEMENT_SECTION)
  })

  test('imports the memory of the world and nothing else', () => {
    expect(WebAssembly.Module.imports(module)).toEqual([
      { module: 'env', name: 'memory', kind: 'memory' },
    ])
  })

  test('stays small: every rank instantiates it', () => {
    expect(wasm.length).toBeLessThan(32 * 1024)
  })
})
