import { describe, expect, it } from 'vitest'
import {
  abortReport,
  busyReport,
  errorReport,
  exitReport,
  interruptReport,
  silentExitReport,
  starvedReport,
} from '../../src/diagnose/failure-report.js'
import { formatReport } from '../../src/diagnose/format.js'
import { blockedOn, ended, running } from './waits.js'

const others = {
  waits: [running(0), blockedOn(1, [0]), blockedOn(2, [0]), ended(3)],
  snapshots: [],
}

describe('errorReport', () => {
  it('names the origin first, with its own frames, then what the others waited for', () => {
    const stack = [
      'SyntaxError: Unexpected token }',
      '    at JSON.parse (<anonymous>)',
      '    at main (file:///p/app.ts:6:27)',
      '    at node:internal/main/worker_thread:1:1',
    ].join('\n')
    const error = { name: 'SyntaxError', message: 'Unexpected token }', stack }
    expect(formatReport(errorReport(0, error, others), { base: '/p' }).split('\n')).toEqual([
      'error ER01 rank 0 threw SyntaxError: Unexpected token }',
      '  the others at that moment:',
      '  ranks 1 and 2  recv(src 0, world)  -  waits for a message from rank 0',
      '  stack: at main (app.ts:6)',
      '  note: where it says - the call site was not recorded: run with --sites',
      '  more: mpiexec explain ER01',
    ])
  })

  it('gives the class of the standard, and keeps a message of many lines aligned', () => {
    const error = { name: 'TruncateError', code: 'MPI_ERR_TRUNCATE', message: 'one\ntwo' }
    expect(formatReport(errorReport(1, error)).split('\n').slice(0, 2)).toEqual([
      'error ER01 rank 1 threw TruncateError (MPI_ERR_TRUNCATE): one',
      '           two',
    ])
  })
})

describe('the other failure reports', () => {
  it('are JSON and name what happened', () => {
    const reports = [
      exitReport(1, 'called process.exit(3)'),
      silentExitReport(1),
      starvedReport(0, 10000, { call: 'iprobe(src 1, world)', site: '/p/a.ts:3:1' }),
      abortReport(2, 7, '/p/a.ts:9:1', others),
      interruptReport('the time limit of 5 s was over', others),
      busyReport([{ rank: 0, site: '/p/a.ts:5:1' }], 10, others),
    ]
    for (const report of reports) expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    expect(reports.map((report) => formatReport(report, { base: '/p' }).split('\n')[0])).toEqual([
      'error ER02 rank 1 called process.exit(3) before it returned from main()',
      'error TS02 rank 1 left its event loop in the middle of an await',
      'error TS03 rank 0 polled 10000 times without a yield; nobody else on its thread can run',
      'error AB01 rank 2 called abort(7)',
      'error AB02 the time limit of 5 s was over; ranks 0-2 had not finished',
      'note NT01 rank 0 computes, and all others have waited for 10 s',
    ])
  })
})
