import { describe, expect, it } from 'vitest'
import { formatReport } from '../../src/diagnose/format.js'
import { lifecycleReports } from '../../src/diagnose/lifecycle-report.js'
import { exitStatusOf } from '../../src/diagnose/report.js'
import type { FinalizeFacts } from '../../src/record/finalize-facts.js'
import { operation } from './waits.js'

const clean = (rank: number): FinalizeFacts => ({
  rank,
  openRequests: [],
  unreceived: [],
  failedRequests: [],
})

const textOf = (facts: readonly FinalizeFacts[]): string[] =>
  lifecycleReports(facts).flatMap((report) => formatReport(report, { base: '/p' }).split('\n'))

describe('lifecycleReports', () => {
  it('is empty for a clean end', () => {
    expect(lifecycleReports([clean(0), clean(1)])).toEqual([])
  })

  it('counts open requests by the place that made them, whatever their peer', () => {
    const isend = (peer: number) => ({
      operation: operation({ name: 'isend', peer, tag: 0, site: '/p/app.ts:12:9' }),
      complete: peer === 1,
    })
    const facts = [
      { ...clean(0), openRequests: [isend(1), isend(2)] },
      clean(1),
      { ...clean(2), openRequests: [isend(0)] },
    ]
    expect(textOf(facts)).toEqual([
      'error TS01 3 requests were never waited on, and ranks 0 and 2 finished',
      '  ranks 0 and 2  isend(dest 1, tag 0, world)  app.ts:12  3 requests: never waited on',
      '  try: keep the request and call wait() on it, or await it    more: mpiexec explain TS01',
    ])
  })

  it('names the sender of a message that nobody received', () => {
    const message = operation({ name: 'send', peer: 0, tag: 3, kind: 'float64', count: 5 })
    expect(textOf([clean(0), { ...clean(1), unreceived: [message, message] }]).slice(0, 2)).toEqual(
      [
        'error MS01 2 messages were sent to rank 1 and never received',
        '  rank 1  from rank 0 (tag 3, 5 x float64, world)  -  2 messages never received',
      ],
    )
  })

  it('tells the error nobody saw', () => {
    const failed = {
      operation: operation({ name: 'irecvInto', peer: 0, tag: 0, site: '/p/a.ts:4:1' }),
      code: 'MPI_ERR_TRUNCATE',
      message: '80 bytes do not fit into 32',
    }
    expect(textOf([{ ...clean(1), failedRequests: [failed] }]).slice(0, 2)).toEqual([
      'error RQ01 a request failed, and nobody looked at the result',
      '  rank 1  irecvInto(src 0, tag 0, world)  a.ts:4  MPI_ERR_TRUNCATE: 80 bytes do not fit into 32',
    ])
  })

  it('says how many there were when a list was cut short', () => {
    const message = operation({ name: 'send', peer: 0, tag: 3 })
    const counts = { openRequests: 0, unreceived: 5000, failedRequests: 0 }
    const text = textOf([{ ...clean(1), unreceived: [message], counts }])
    expect(text.join('\n')).toContain('5000 in all')
  })
})

describe('exitStatusOf', () => {
  it('is 2 for an error, 1 for one of the program, 3 for a hazard when strict', () => {
    expect(exitStatusOf([])).toBe(0)
    expect(exitStatusOf([{ severity: 'error', code: 'DL01' }])).toBe(2)
    expect(exitStatusOf([{ severity: 'error', code: 'ER01' }])).toBe(1)
    expect(exitStatusOf([{ severity: 'hazard' }])).toBe(0)
    expect(exitStatusOf([{ severity: 'hazard' }], true)).toBe(3)
    expect(exitStatusOf([{ severity: 'note' }], true)).toBe(0)
  })
})
