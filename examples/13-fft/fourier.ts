// The discrete Fourier transform, with nothing about ranks in it.

export type Complex = { real: number; imaginary: number }
export type Direction = 'forward' | 'back'

export const magnitudeOf = ({ real, imaginary }: Complex) => Math.hypot(real, imaginary)

/** Transforms a line of pairs (real, imaginary) where it is; their number is a power of two. */
export function transform(line: Float64Array, direction: Direction): void {
  const sign = direction === 'forward' ? -1 : 1
  reverseBits(line)
  // Transforms of one point are there. Pairs of them make transforms of 2 points, of 4, of 8, ...
  for (let half = 2; half < line.length; half *= 2) {
    for (let k = 0; k < half; k += 2) {
      const angle = (sign * Math.PI * k) / half
      const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
      for (let first = k; first < line.length; first += 2 * half) {
        const second = first + half
        const real = line[second] * cos - line[second + 1] * sin
        const imaginary = line[second] * sin + line[second + 1] * cos
        line[second] = line[first] - real
        line[second + 1] = line[first + 1] - imaginary
        line[first] += real
        line[first + 1] += imaginary
      }
    }
  }
}

/** The number at an index goes where the bits of the index say, read from the other end. */
function reverseBits(line: Float64Array): void {
  const count = line.length / 2
  for (let index = 0, reversed = 0; index < count; index++) {
    if (index < reversed) {
      swap(line, 2 * index, 2 * reversed)
      swap(line, 2 * index + 1, 2 * reversed + 1)
    }
    // Counting up with the highest bit for the lowest.
    let bit = count / 2
    for (; (reversed & bit) !== 0; bit >>>= 1) reversed ^= bit
    reversed |= bit
  }
}

function swap(line: Float64Array, index: number, other: number): void {
  const kept = line[index]
  line[index] = line[other]
  line[other] = kept
}

/** One number of the transform of a square image by its definition: a wave is laid over all of it. */
export function directly(
  image: (row: number, column: number) => number,
  side: number,
  { down, across }: { down: number; across: number },
): Complex {
  let [real, imaginary] = [0, 0]
  for (let row = 0; row < side; row++) {
    for (let column = 0; column < side; column++) {
      const angle = (2 * Math.PI * ((down * row + across * column) % side)) / side
      real += image(row, column) * Math.cos(angle)
      imaginary -= image(row, column) * Math.sin(angle)
    }
  }
  return { real, imaginary }
}
