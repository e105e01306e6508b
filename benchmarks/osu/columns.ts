/** OSU's output: a title and column heads behind `#`, then one line a size. */
const WIDTH = 20

export function printHead(title: string, ...columns: string[]): void {
  console.log(`# ${title}\n${'# Size'.padEnd(10)}${columns.map((c) => c.padStart(WIDTH)).join('')}`)
}

/** Microseconds with three decimals: two would hide the difference between 0.17 and 0.18. */
export function printTime(bytes: number, microseconds: number): void {
  console.log(String(bytes).padEnd(10) + microseconds.toFixed(3).padStart(WIDTH))
}

export function printRates(bytes: number, ...rates: number[]): void {
  console.log(
    String(bytes).padEnd(10) + rates.map((rate) => rate.toFixed(2).padStart(WIDTH)).join(''),
  )
}
