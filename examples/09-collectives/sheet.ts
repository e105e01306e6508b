// Pictures of what each rank has before a collective and after it.

import type { Communicator } from '@commworld/mpi'

const pageWidth = 96
const labelWidth = 8
/** Between two pictures. */
const gap = 5
/** Where there is nothing, and where memory was never filled. */
const nothing = '·'

type Row = { name: string; before: string; after: string }

/** Every rank draws its row of each picture; rank 0 puts the rows together. */
export class Sheet {
  readonly #world: Communicator
  #rows: Row[] = []
  pictures = 0

  constructor(world: Communicator) {
    this.#world = world
  }

  /** Draws what this rank has, does it, and draws what this rank has then, if that is as expected. */
  show<T>(name: string, before: T, collective: (before: T) => unknown, expected: unknown): void {
    const textBefore = textOf(before)
    const after = textOf(collective(before))
    if (after !== textOf(expected)) {
      throw new Error(`FAIL: after ${name}, ${after} instead of ${textOf(expected)}`)
    }
    this.#rows.push({ name, before: textBefore, after })
    this.pictures++
  }

  /** Prints what was drawn since the last time, as many pictures beside each other as fit. */
  print(title: string): void {
    const rowsByRank = this.#world.gather(this.#rows)
    this.#rows = []
    if (rowsByRank === undefined) return
    console.log(`\n${title}`)
    const labels = ['', ...rowsByRank.map((_, rank) => `rank ${rank}`)]
    let strip = labels
    rowsByRank[0].forEach((_, picture) => {
      const lines = linesOf(rowsByRank.map((rows) => rows[picture]))
      if (strip[0].length + gap + lines[0].length > pageWidth) {
        print(strip)
        strip = labels
      }
      const width = strip === labels ? labelWidth : strip[0].length + gap
      strip = strip.map((line, index) => line.padEnd(width) + lines[index])
    })
    print(strip)
  }
}

/** The lines of one picture, all of the same length: its name, then a line for each rank. */
function linesOf(rows: readonly Row[]): string[] {
  const widthBefore = Math.max(...rows.map(({ before }) => before.length))
  const lines = rows.map(({ before, after }) => `${before.padEnd(widthBefore)} → ${after}`)
  lines.unshift(rows[0].name)
  const width = Math.max(...lines.map((line) => line.length))
  return lines.map((line) => line.padEnd(width))
}

function print(lines: readonly string[]): void {
  console.log(`\n${lines.map((line) => line.trimEnd()).join('\n')}`)
}

/** a for rank 0, b for rank 1, ... */
export function letterOf(rank: number): string {
  return String.fromCharCode('a'.charCodeAt(0) + (rank % 26))
}

function textOf(seen: unknown): string {
  if (seen === undefined || seen === 0 || seen === '') return nothing
  if (seen instanceof Uint16Array) return textOf(Array.from(seen, nameOfThing))
  if (seen instanceof Float64Array) return textOf(Array.from(seen))
  if (Array.isArray(seen)) return seen.length === 0 ? nothing : seen.map(textOf).join(' ')
  return String(seen)
}

/** What `thing` has put into memory. */
function nameOfThing(code: number): string {
  return code === 0 ? '' : `${letterOf((code >> 8) - 1)}${code & 255}`
}
