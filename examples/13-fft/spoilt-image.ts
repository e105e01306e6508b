// The image: a word, and a wave that lies over it.

export const side = 128

const dot = { height: 12, width: 6 }
const word = [
  '#####  #####  #####',
  '#      #        #  ',
  '#      #        #  ',
  '####   ####     #  ',
  '#      #        #  ',
  '#      #        #  ',
  '#      #        #  ',
]
const top = Math.floor((side - word.length * dot.height) / 2)
const left = Math.floor((side - word[0].length * dot.width) / 2)

/** So many crests from edge to edge, downwards and across. */
const wave = { down: 3, across: 5, height: 0.5 }

/** Brightness: the word from 0 to 1, the wave above and below that. */
export function imageAt(row: number, column: number): number {
  const line = word[Math.floor((row - top) / dot.height)]
  const isWord = line?.[Math.floor((column - left) / dot.width)] === '#'
  const crests = (wave.down * row + wave.across * column) / side
  return (isWord ? 1 : 0) + wave.height * Math.cos(2 * Math.PI * crests)
}
