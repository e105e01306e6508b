import { readFileSync } from 'node:fs'
import { SourceMap } from 'node:module'
import { dirname, resolve } from 'node:path'
import type { Bundle } from './bundle.js'

/** Turns positions in a program's bundle into positions in its sources. Reads the map when first asked. */
export class SourcePositions {
  readonly #bundle: Bundle
  readonly #pattern: RegExp
  #map: SourceMap | undefined

  constructor(bundle: Bundle) {
    this.#bundle = bundle
    this.#pattern = new RegExp(
      `${bundle.url.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')}:(\\d+):(\\d+)`,
      'g',
    )
  }

  /** A stack, or any text, with `path:line:column` of the source for each position in the bundle. */
  inText(text: string): string {
    if (!text.includes(this.#bundle.url)) return text
    return text.replace(this.#pattern, (position, line: string, column: string) => {
      return this.at(Number(line), Number(column)) ?? position
    })
  }

  /** `path:line:column` of the source; undefined for what the bundler added. Lines and columns from 1. */
  at(line: number, column: number): string | undefined {
    this.#map ??= this.#read()
    const entry = this.#map?.findEntry(line - 1, column - 1)
    if (!entry || !('originalSource' in entry)) return undefined
    const path = resolve(dirname(this.#bundle.mapFile), entry.originalSource)
    return `${path}:${entry.originalLine + 1}:${entry.originalColumn + 1}`
  }

  #read(): SourceMap | undefined {
    try {
      return new SourceMap(JSON.parse(readFileSync(this.#bundle.mapFile, 'utf8')))
    } catch {
      // The job is over and its files are gone: positions stay those of the bundle.
      return undefined
    }
  }
}

/** Makes every `error.stack` of this thread speak of source lines. */
export function mapStacks(programs: readonly SourcePositions[]): void {
  Error.prepareStackTrace = (error, sites) => {
    const lines = [String(error), ...sites.map((site) => `    at ${site}`)]
    return programs.reduce((text, positions) => positions.inText(text), lines.join('\n'))
  }
}
