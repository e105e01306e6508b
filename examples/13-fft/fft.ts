import { MAX, MAXLOC, type Mpi } from '@commworld/mpi'
import { directly, magnitudeOf, type Complex } from './fourier.js'
import { drawImage, drawSpectrum, showBeside } from './pictures.js'
import { imageAt, side } from './spoilt-image.js'
import { SpreadImage } from './spread-image.js'

// The Fourier transform of an image: transform all rows, then all columns. The ranks have rows; so
// they transpose the image, which makes rows of the columns, and every rank has something to send to
// every other one. Put to use here: a wave that spoils an image is one number of its transform, and a
// number is easily made zero.
export default function main(mpi: Mpi) {
  const { world } = mpi
  const image = new SpreadImage(mpi, side)
  for (const { row, column } of image.places()) {
    image.set(row, column, { real: imageAt(row, column), imaginary: 0 })
  }
  const spoilt = image.gather(({ real }) => real)

  image.transform('forward')
  const directError = world.allreduce(differenceToDirect(image), MAX)
  const spectrum = image.gather(magnitudeOf)

  // Which rank has found the strongest wave? MAXLOC says where, and the rank that has it says what.
  const { index } = world.allreduce(strongestWave(image), MAXLOC)
  const wave = { down: Math.floor(index / side), across: index % side }
  const owner = image.ownerOf(wave.down)
  const strength = world.bcast(
    world.rank === owner ? image.get(wave.down, wave.across) : undefined,
    { root: owner },
  )
  // Of a real image, the number at (-down, -across) is the other half of the same wave.
  const nothing = { real: 0, imaginary: 0 }
  const twin = { down: (side - wave.down) % side, across: (side - wave.across) % side }
  for (const { down, across } of [wave, twin]) {
    if (image.ownerOf(down) === world.rank) image.set(down, across, nothing)
  }

  image.transform('back')
  const cleaned = image.gather(({ real }) => real / side ** 2)
  const inverseError = world.allreduce(differenceToSpoilt(image, wave, strength), MAX)

  if (spoilt && spectrum && cleaned) {
    console.log(`an image of ${side} x ${side} points, rows shared by ${world.size} ranks\n`)
    showBeside([
      { title: 'spoilt by a wave', lines: drawImage(spoilt) },
      { title: 'its long waves', lines: drawSpectrum(spectrum) },
      { title: 'without the strongest', lines: drawImage(cleaned) },
    ])
    const height = (2 * magnitudeOf(strength)) / side ** 2
    console.log(
      `\nstrongest wave: ${wave.down} crests down, ${wave.across} across, ±${height.toFixed(2)}`,
    )
    if (!(directError < 1e-8)) throw new Error(`FAIL: the transform is wrong by ${directError}`)
    if (!(inverseError < 1e-12)) throw new Error(`FAIL: the way back is wrong by ${inverseError}`)
    console.log('PASS: the transform is that of the definition, and the way back leads back')
  }
}

type Wave = { down: number; across: number }

/** Of the two numbers of a wave the one on the left is looked at; (0, 0) is no wave but the mean. */
function strongestWave(image: SpreadImage): { value: number; index: number } {
  let strongest = { value: -1, index: 0 }
  for (const { row: down, column: across } of image.places()) {
    if (across === 0 || across >= side / 2) continue
    const value = magnitudeOf(image.get(down, across))
    if (value > strongest.value) strongest = { value, index: down * side + across }
  }
  return strongest
}

/** For some numbers all over the image; each rank tries those that it has. */
function differenceToDirect(image: SpreadImage): number {
  let difference = 0
  for (const { row: down, column: across } of image.places()) {
    if ((down * side + across) % 2003 > 0) continue
    const seen = image.get(down, across)
    const { real, imaginary } = directly(imageAt, side, { down, across })
    difference = Math.max(difference, Math.hypot(seen.real - real, seen.imaginary - imaginary))
  }
  return difference
}

/** With the wave laid over it again the image must be what it was. */
function differenceToSpoilt(image: SpreadImage, { down, across }: Wave, strength: Complex): number {
  let difference = 0
  for (const { row, column } of image.places()) {
    const angle = (2 * Math.PI * (down * row + across * column)) / side
    const wave = 2 * (strength.real * Math.cos(angle) - strength.imaginary * Math.sin(angle))
    const { real, imaginary } = image.get(row, column)
    const error = Math.hypot(real + wave - imageAt(row, column) * side ** 2, imaginary)
    difference = Math.max(difference, error / side ** 2)
  }
  return difference
}
