// What the benchmarks have in common when they are done: a verdict, and how fast it was.

/** A result beside what the benchmark publishes, if it does. The tolerance is relative, default 0. */
export type Check = {
  name: string
  computed: number
  published: number | undefined
  tolerance?: number
}

/** Prints the table and the speed. @throws when a result is not as published */
export function report(checks: readonly Check[], speed: { operations: number; seconds: number }) {
  console.log(line('', 'computed', 'published'))
  for (const check of checks) {
    const { name, computed, published } = check
    const verdict = agrees(check) ? '' : '  differs'
    console.log(line(name, shown(check, computed), shown(check, published)) + verdict)
  }

  const successful = checks.every(agrees)
  console.log(`verification: ${successful ? 'successful' : 'UNSUCCESSFUL'}`)
  const millions = speed.operations / speed.seconds / 1e6
  console.log(`${speed.seconds.toFixed(3)} s, ${millions.toFixed(1)} Mop/s`)
  if (!successful) throw new Error('the results are not those of the benchmark')
}

function agrees({ computed, published, tolerance = 0 }: Check): boolean {
  if (published === undefined) return true
  return Math.abs(computed - published) <= tolerance * Math.abs(published)
}

/** With as many digits as are compared. */
function shown({ tolerance }: Check, value: number | undefined): string {
  if (value === undefined) return '-'
  return tolerance === undefined ? String(value) : value.toPrecision(1 - Math.log10(tolerance))
}

function line(name: string, ...columns: string[]): string {
  return name.padEnd(28) + columns.map((column) => column.padStart(16)).join('')
}
