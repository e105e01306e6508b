import type { ReportCode } from './report.js'
import { EXPLANATIONS } from './explanations.js'

/**
 * The page as text; undefined for a code that does not exist. Upper and lower case are alike.
 *
 * @example
 * explain('DL01')
 */
export function explain(code: string): string | undefined {
  const name = code.trim().toUpperCase()
  if (!Object.hasOwn(EXPLANATIONS, name)) return undefined
  const page = EXPLANATIONS[name as ReportCode]
  return [
    `${name}  ${page.title}`,
    '',
    `Wrong (mpiexec -n ${page.ranks}):`,
    '',
    indented(page.wrong),
    '',
    'Why:',
    '',
    indented(page.why),
    '',
    'Right:',
    '',
    indented(page.right),
    '',
  ].join('\n')
}

function indented(text: string): string {
  return text
    .trim()
    .split('\n')
    .map((line) => (line === '' ? '' : `  ${line}`))
    .join('\n')
}
