// Pictures of an image and of its spectrum, side by side; a pixel stands for some points.

import { draw } from '../picture.js'
import { side } from './spoilt-image.js'

const pixels = 32
const pointsPerPixel = side / pixels

export function drawImage(brightness: Float64Array): string[] {
  const at = (row: number, column: number) => {
    let sum = 0
    for (let down = 0; down < pointsPerPixel; down++) {
      for (let across = 0; across < pointsPerPixel; across++) {
        const [y, x] = [row * pointsPerPixel + down, column * pointsPerPixel + across]
        sum += brightness[y * side + x]
      }
    }
    // The wave goes as far below 0 as it goes above 1.
    return (sum / pointsPerPixel ** 2 + 0.5) / 2
  }
  return draw({ width: pixels, height: pixels, at })
}

/** How strong the long waves are, on a logarithmic scale; (0, 0) is in the middle. */
export function drawSpectrum(magnitudes: Float64Array): string[] {
  const at = (row: number, column: number) => {
    const down = (row - pixels / 2 + side) % side
    const across = (column - pixels / 2 + side) % side
    return Math.log10((1000 * magnitudes[down * side + across]) / side ** 2) / 2.6
  }
  return draw({ width: pixels, height: pixels, at })
}

export function showBeside(pictures: readonly { title: string; lines: readonly string[] }[]): void {
  for (let line = -1; line < pixels / 2; line++) {
    const parts = pictures.map(({ title, lines }) => (lines[line] ?? title).padEnd(pixels))
    console.log(parts.join('  ').trimEnd())
  }
}
