import { transformSync } from 'esbuild'
import { describe, expect, it } from 'vitest'
import { explain } from '../../src/diagnose/explanation.js'
import { EXPLANATIONS } from '../../src/diagnose/explanations.js'
import { REPORT_CODES } from '../../src/diagnose/report.js'

describe('explain', () => {
  it.each(REPORT_CODES)(
    'has a page for %s, in ASCII, 100 columns, of programs that parse',
    (code) => {
      const text = explain(code.toLowerCase()) as string
      for (const line of text.split('\n')) {
        expect(line.length).toBeLessThanOrEqual(100)
        expect(line).toMatch(/^[\x20-\x7e]*$/)
      }
      for (const program of [EXPLANATIONS[code].wrong, EXPLANATIONS[code].right]) {
        expect(transformSync(program, { loader: 'ts' }).warnings).toEqual([])
      }
    },
  )

  it('is undefined for what is no code', () => {
    expect(explain('XX99')).toBeUndefined()
    expect(explain('constructor')).toBeUndefined()
  })
})
