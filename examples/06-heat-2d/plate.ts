// The physics, with nothing about ranks in it: the parallel run and the serial one share this file.

export const plate = { rows: 240, columns: 456 }
const cellsPerDot = 12
/** How far a cell moves towards its neighbours in a step; above 0.25 the scheme blows up. */
const diffusivity = 0.2
const wireTemperature = 100

/** A rectangle of the plate. Its field has a rim of one cell around it: neighbours, or the cold edge. */
export type Block = { firstRow: number; firstColumn: number; rows: number; columns: number }

export const wholePlate: Block = { firstRow: 0, firstColumn: 0, ...plate }

/** Elements from one row of a block's field to the next. */
export const strideOf = (block: Block) => block.columns + 2
export const lengthOf = (block: Block) => (block.rows + 2) * strideOf(block)

/** 1 where the heating wire runs, laid out as the block's field. */
export function wiresOf(block: Block): Uint8Array {
  const wires = new Uint8Array(lengthOf(block))
  for (let row = 0; row < block.rows; row++) {
    for (let column = 0; column < block.columns; column++) {
      if (!isWire(block.firstRow + row, block.firstColumn + column)) continue
      wires[(row + 1) * strideOf(block) + column + 1] = 1
    }
  }
  return wires
}

export function heat(field: Float64Array, wires: Uint8Array): void {
  for (let cell = 0; cell < field.length; cell++)
    if (wires[cell] === 1) field[cell] = wireTemperature
}

/** One time step from `now` to `next`; returns the largest change of a cell. */
export function step(
  block: Block,
  wires: Uint8Array,
  now: Float64Array,
  next: Float64Array,
): number {
  const stride = strideOf(block)
  let largestChange = 0
  for (let row = 1; row <= block.rows; row++) {
    const end = row * stride + block.columns
    for (let cell = row * stride + 1; cell <= end; cell++) {
      const here = now[cell]
      const around = now[cell - stride] + now[cell - 1] + now[cell + 1] + now[cell + stride]
      const change = wires[cell] === 1 ? 0 : diffusivity * (around - 4 * here)
      next[cell] = here + change
      if (change > largestChange) largestChange = change
      else if (-change > largestChange) largestChange = -change
    }
  }
  return largestChange
}

/** Everything on one rank: what the parallel run must agree with. */
export function serialRun(steps: number): Float64Array {
  const wires = wiresOf(wholePlate)
  let now = new Float64Array(lengthOf(wholePlate))
  let next = new Float64Array(lengthOf(wholePlate))
  heat(now, wires)
  for (let count = 0; count < steps; count++) {
    step(wholePlate, wires, now, next)
    ;[now, next] = [next, now]
  }
  return now
}

// The wire, in dots of 12 x 12 cells, in the middle of the plate.
const dots = [
  ' ###    ###   #   #  #   #       ',
  '#   #  #   #  ## ##  ## ##       ',
  '#      #   #  # # #  # # #       ',
  '#      #   #  #   #  #   #       ',
  '#   #  #   #  #   #  #   #       ',
  ' ###    ###   #   #  #   #       ',
  '                                 ',
  '                                 ',
  '#   #   ###   ####   #      #### ',
  '#   #  #   #  #   #  #      #   #',
  '# # #  #   #  #   #  #      #   #',
  '# # #  #   #  ####   #      #   #',
  '## ##  #   #  #  #   #      #   #',
  '#   #   ###   #   #  #####  #### ',
]
const top = (plate.rows - dots.length * cellsPerDot) / 2
const left = (plate.columns - 33 * cellsPerDot) / 2

function isWire(row: number, column: number): boolean {
  const line = dots[Math.floor((row - top) / cellsPerDot)]
  return line?.[Math.floor((column - left) / cellsPerDot)] === '#'
}
