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

/** The columns of OSU's collectives with `-f`: times in microseconds, then how often. */
export function printTimes(bytes: number, times: readonly number[], iterations?: number): void {
  const columns = times.map((time) => time.toFixed(3).padStart(WIDTH))
  if (iterations !== undefined) columns.push(String(iterations).padStart(WIDTH))
  console.log(String(bytes).padEnd(10) + columns.join(''))
}
