// Pictures for examples: coloured half blocks in a terminal, plain shading in a pipe.

export type Picture = {
  width: number
  height: number
  /** Brightness from 0 to 1. Row 0 is the topmost. */
  at: (row: number, column: number) => number
}
type Colour = readonly [red: number, green: number, blue: number]

const embers: readonly Colour[] = [
  [4, 4, 22],
  [66, 14, 108],
  [150, 34, 104],
  [220, 68, 60],
  [250, 142, 22],
  [252, 220, 110],
  [255, 255, 240],
]
const shades = ' .:-=+*#%@'

/** The lines of the picture; one line of text shows two rows of it. */
export function draw(picture: Picture): string[] {
  const depth = colourDepth()
  if (depth === 1) return drawPlain(picture)
  return drawColoured(picture, depth < 24 ? nearestOf256 : exactColour)
}

/** Bits per colour: 24, fewer for the 256 colours that every terminal knows, 1 for none. */
function colourDepth(): number {
  if (!process.stdout.isTTY && process.env.FORCE_COLOR === undefined) return 1
  return process.stdout.getColorDepth()
}

function drawColoured({ width, height, at }: Picture, paint: (colour: Colour) => string): string[] {
  const lines: string[] = []
  for (let row = 0; row < height; row += 2) {
    let line = ''
    for (let column = 0; column < width; column++) {
      // The upper half of the character is foreground, the lower half background.
      const lower = row + 1 < height ? at(row + 1, column) : 0
      line += `\x1b[38;${paint(colourOf(at(row, column)))};48;${paint(colourOf(lower))}m▀`
    }
    lines.push(`${line}\x1b[0m`)
  }
  return lines
}

function drawPlain({ width, height, at }: Picture): string[] {
  const lines: string[] = []
  for (let row = 0; row < height; row += 2) {
    let line = ''
    for (let column = 0; column < width; column++) {
      const lower = row + 1 < height ? at(row + 1, column) : at(row, column)
      line += shadeOf((at(row, column) + lower) / 2)
    }
    lines.push(line.trimEnd())
  }
  return lines
}

function shadeOf(brightness: number): string {
  return shades[Math.round(clamp(brightness) * (shades.length - 1))]
}

function colourOf(brightness: number): Colour {
  const position = clamp(brightness) * (embers.length - 1)
  const index = Math.min(Math.floor(position), embers.length - 2)
  const [from, to] = [embers[index], embers[index + 1]]
  const blend = (channel: 0 | 1 | 2) =>
    Math.round(from[channel] + (to[channel] - from[channel]) * (position - index))
  return [blend(0), blend(1), blend(2)]
}

function exactColour([red, green, blue]: Colour): string {
  return `2;${red};${green};${blue}`
}

/** Colours 16 to 231 of the usual 256 are a cube with 6 levels a side. */
function nearestOf256([red, green, blue]: Colour): string {
  const level = (channel: number) => Math.round((channel / 255) * 5)
  return `5;${16 + 36 * level(red) + 6 * level(green) + level(blue)}`
}

function clamp(brightness: number): number {
  return Math.min(1, Math.max(0, brightness))
}
