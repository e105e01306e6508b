import { isMap, isScalar, isSeq, LineCounter, parseDocument, type YAMLMap } from 'yaml'
import { ImportError } from '../import/import-error.js'
import { nearestWord } from './nearest-word.js'

/**
 * One mapping of a YAML file. What is wrong is told with its line and its path; what was not asked for
 * is refused at the end.
 */
export class YamlReader {
  readonly #map: YAMLMap
  readonly #file: string
  readonly #lines: LineCounter
  readonly #path: string
  readonly #asked: string[] = []

  private constructor(map: YAMLMap, file: string, lines: LineCounter, path: string) {
    this.#map = map
    this.#file = file
    this.#lines = lines
    this.#path = path
  }

  /** @throws ImportError when the text is no YAML, or no mapping */
  static open(text: string, file: string): YamlReader {
    const lines = new LineCounter()
    const document = parseDocument(text, { lineCounter: lines, prettyErrors: false })
    const [error] = document.errors
    if (error !== undefined) {
      throw new ImportError(file, lines.linePos(error.pos[0]).line, `no YAML: ${error.message}`)
    }
    if (!isMap(document.contents)) {
      throw new ImportError(file, 0, 'a fabric is described by a mapping: `network: hdr` and so on')
    }
    return new YamlReader(document.contents, file, lines, '')
  }

  has(key: string): boolean {
    this.#asked.push(key)
    return this.#map.has(key)
  }

  /** Whether the value of a key is a mapping. */
  isMapping(key: string): boolean {
    return isMap(this.#map.get(key, true))
  }

  text(key: string): string {
    const value = this.#value(key)
    if (typeof value === 'string') return value
    return this.#refuse(key, 'a text', value)
  }

  number(key: string, bounds: { readonly min?: number; readonly whole?: boolean } = {}): number {
    const { min = 0, whole = false } = bounds
    const value = this.#value(key)
    if (typeof value === 'number' && value >= min && (!whole || Number.isInteger(value))) {
      return value
    }
    return this.#refuse(key, `a ${whole ? 'whole ' : ''}number from ${min}`, value)
  }

  flag(key: string): boolean {
    const value = this.#value(key)
    return typeof value === 'boolean' ? value : this.#refuse(key, 'true or false', value)
  }

  numbers(key: string): number[] {
    const node = this.#map.get(key, true)
    this.#asked.push(key)
    const values: unknown[] = isSeq(node)
      ? node.items.map((item) => (isScalar(item) ? item.value : undefined))
      : []
    if (
      values.length > 0 &&
      values.every((value) => Number.isInteger(value) && Number(value) > 0)
    ) {
      return values as number[]
    }
    return this.#refuse(key, 'a list of whole numbers from 1, such as [18, 36]', this.#map.get(key))
  }

  choice<T extends string>(key: string, names: readonly T[]): T {
    const value = this.text(key)
    const found = names.find((name) => name === value)
    if (found !== undefined) return found
    const nearest = nearestWord(value, names)
    const hint =
      nearest === undefined ? `there are ${names.join(', ')}` : `did you mean ${nearest}?`
    throw this.error(key, `there is no ${value}; ${hint}`)
  }

  mapping(key: string): YamlReader {
    const node = this.#map.get(key, true)
    this.#asked.push(key)
    if (!isMap(node)) return this.#refuse(key, 'a mapping', this.#map.get(key))
    return new YamlReader(node, this.#file, this.#lines, `${this.#path}${key}.`)
  }

  /** @throws ImportError when there are keys that nobody asked for */
  end(): void {
    for (const { key } of this.#map.items) {
      const name = String(isScalar(key) ? key.value : key)
      if (this.#asked.includes(name)) continue
      const nearest = nearestWord(name, this.#asked)
      const hint =
        nearest === undefined ? `known here: ${this.#asked.join(', ')}` : `did you mean ${nearest}?`
      throw this.error(name, `there is no such key; ${hint}`)
    }
  }

  /** An error that points at a key. */
  error(key: string, reason: string): ImportError {
    const pair = this.#map.items.find((item) => isScalar(item.key) && item.key.value === key)
    const position = isScalar(pair?.key) ? pair.key.range?.[0] : this.#map.range?.[0]
    const line = position === undefined ? 0 : this.#lines.linePos(position).line
    return new ImportError(this.#file, line, `${this.#path}${key}: ${reason}`)
  }

  #value(key: string): unknown {
    this.#asked.push(key)
    return this.#map.get(key)
  }

  #refuse(key: string, expected: string, seen: unknown): never {
    const problem =
      seen === undefined ? `needs ${expected}` : `must be ${expected}, not ${spell(seen)}`
    throw this.error(key, problem)
  }
}

function spell(value: unknown): string {
  return typeof value === 'object' ? 'a mapping or a list' : String(value)
}
