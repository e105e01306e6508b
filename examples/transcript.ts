// Console transcripts in Markdown: commands with the output they must print.
//
// ```console any-order exit=1        the lines may come in any order; the exit status
// $ npx mpiexec -n 2 program.ts      a command
// one line of its output             `…` stands for some characters, a line `⋮` for any lines
// ```

export type Transcript = { line: number; command: string; output: string; form: OutputForm }
export type OutputForm = { anyOrder: boolean; exitStatus: number }

export function transcriptsIn(markdown: string): Transcript[] {
  const found: Transcript[] = []
  let form: OutputForm | undefined
  markdown.split('\n').forEach((text, index) => {
    if (text.startsWith('```')) {
      const [language, ...flags] = text.slice(3).split(/\s+/)
      form = form === undefined && language === 'console' ? formOf(flags) : undefined
    } else if (form && text.startsWith('$ ')) {
      found.push({ line: index + 1, command: text.slice(2), output: '', form })
    } else if (form) {
      found[found.length - 1].output += `${text}\n`
    }
  })
  return found
}

function formOf(flags: string[]): OutputForm {
  const exit = flags.find((flag) => flag.startsWith('exit='))
  return {
    anyOrder: flags.includes('any-order'),
    exitStatus: exit === undefined ? 0 : Number(exit.slice('exit='.length)),
  }
}

/** Undefined when `actual` is what was expected, otherwise what is wrong with it. */
export function difference(
  expected: string,
  actual: string,
  options: { anyOrder: boolean },
): string | undefined {
  const wanted = trimLines(expected)
  const seen = trimLines(actual)
  const fits = options.anyOrder ? fitsInAnyOrder(wanted, seen) : fitsInOrder(wanted, seen)
  if (fits) return undefined
  return `expected${options.anyOrder ? ' in any order' : ''}:\n${wanted.join('\n')}\n\nbut it printed:\n${seen.join('\n')}`
}

function fitsInOrder(wanted: string[], seen: string[]): boolean {
  const lines = wanted.map((line) => (line === '⋮' ? '(?:.*\n)*?' : `${patternOf(line)}\n`))
  return new RegExp(`^${lines.join('')}$`).test(seen.map((line) => `${line}\n`).join(''))
}

function fitsInAnyOrder(wanted: string[], seen: string[]): boolean {
  const left = [...seen]
  for (const line of wanted) {
    if (line === '⋮') continue
    const index = left.findIndex((other) => new RegExp(`^${patternOf(line)}$`).test(other))
    if (index < 0) return false
    left.splice(index, 1)
  }
  return left.length === 0 || wanted.includes('⋮')
}

function patternOf(line: string): string {
  return line
    .split('…')
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'))
    .join('.+?')
}

function trimLines(text: string): string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => line.trimEnd())
}
