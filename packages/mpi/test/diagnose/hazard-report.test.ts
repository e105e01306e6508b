import { describe, expect, it } from 'vitest'
import { formatReport } from '../../src/diagnose/format.js'
import { hazardReport } from '../../src/diagnose/hazard-report.js'
import { locateTrace } from '../../src/diagnose/trace-entry.js'
import { TraceFlag, TraceRecorder, operationCode } from '../../src/record/trace.js'
import { runOnPaper, type Paper } from './message-machine.js'

const { blocking, buffered, choice, fromRoot } = TraceFlag
const hazardOf = (paper: Paper) => hazardReport(runOnPaper(paper, { buffered: true }).traces)

/** Both send first; before that, when asked, each takes a buffered message from any source. */
function exchange({ wildcardFirst = false } = {}) {
  return [0, 1].map((rank) => {
    const trace = new TraceRecorder()
    const other = 1 - rank
    const receive = (flags: number, number: number): void => {
      const entry = trace.receive(operationCode('recv'), blocking | flags, 0, -1, 1)
      trace.matched(entry, other, number)
    }
    if (wildcardFirst) {
      trace.send(operationCode('bsend'), blocking | buffered, other, 0, 0, 0)
      receive(choice, 0)
    }
    trace.send(operationCode('send'), blocking, other, wildcardFirst ? 1 : 0, 0, 0, 0)
    receive(wildcardFirst ? 0 : choice, wildcardFirst ? 1 : 0)
    return trace.finish(rank, ['halo 22', 'halo 24'])
  })
}

const locate = (stack: string) => `/p/${stack.replace(' ', '.ts:')}:3`

describe('hazardReport', () => {
  it('names the cycle of an exchange in which both send first', () => {
    const report = hazardReport(
      exchange().map((trace) => locateTrace(trace, locate)),
      { command: '-n 2 halo.ts' },
    )
    expect(JSON.parse(JSON.stringify(report))).toEqual(report)
    expect(report && formatReport(report, { base: '/p' }).split('\n')).toEqual([
      'hazard BF01 this run finished only because small sends are buffered',
      '  rank 0  send(dest 1, tag 0, world)  halo.ts:22  waits for rank 1 to receive, later, in recv at',
      '                                                  halo.ts:24',
      '  rank 1  send(dest 0, tag 0, world)  halo.ts:22  waits for rank 0 to receive, later, in recv at',
      '                                                  halo.ts:24',
      '  why: without buffers ranks 0 and 1 wait for each other here.',
      '  prove it: mpiexec --eager-limit 0 -n 2 halo.ts',
      '  try: use sendrecv, or post the receives first (irecv)    more: mpiexec explain BF01',
    ])
  })

  it('is only a note when the run chose among sources before that point', () => {
    expect(hazardReport(exchange())?.severity).toBe('hazard')
    expect(hazardReport(exchange({ wildcardFirst: true }))?.severity).toBe('note')
  })

  it('finds a ring of sends, a send to itself and a wait that comes too early', () => {
    const ring: Paper = [0, 1, 2].map((rank) => [
      { do: 'send', dest: (rank + 1) % 3, tag: 0 },
      { do: 'recv', source: (rank + 2) % 3, tag: 0 },
    ])
    expect(hazardOf(ring)?.cycle).toEqual([0, 1, 2])
    const self: Paper = [
      [
        { do: 'send', dest: 0, tag: 0 },
        { do: 'recv', source: 0, tag: 0 },
      ],
    ]
    expect(hazardOf(self)?.cycle).toEqual([0])
    const early: Paper = [0, 1].map((rank) => [
      { do: 'isend', dest: 1 - rank, tag: 0 },
      { do: 'waitAll' },
      { do: 'recv', source: 1 - rank, tag: 0 },
    ])
    expect(hazardOf(early)?.code).toBe('BF01')
  })

  it('is silent about sendrecv, early receives, bsend and a send nobody receives', () => {
    const other = (rank: number) => 1 - rank
    const shift: Paper = [0, 1].map((rank) => [
      { do: 'sendrecv', dest: other(rank), source: other(rank), tag: 0 },
    ])
    const posted: Paper = [0, 1].map((rank) => [
      { do: 'irecv', source: other(rank), tag: 0 },
      { do: 'send', dest: other(rank), tag: 0 },
      { do: 'waitAll' },
    ])
    const saved: Paper = [0, 1].map((rank) => [
      { do: 'bsend', dest: other(rank), tag: 0 },
      { do: 'recv', source: other(rank), tag: 0 },
    ])
    const lost: Paper = [[{ do: 'send', dest: 1, tag: 0 }], []]
    for (const paper of [shift, posted, saved, lost]) expect(hazardOf(paper)).toBeUndefined()
  })

  it('tells a collective that happened not to wait', () => {
    const root = new TraceRecorder()
    root.collective(operationCode('bcast'), blocking | fromRoot, 0, 0, 0, 2)
    root.send(operationCode('send'), blocking, 1, 0, 0, 0)
    const leaf = new TraceRecorder()
    leaf.matched(leaf.receive(operationCode('recv'), blocking, 0, 0), 0, 0)
    leaf.collective(operationCode('bcast'), blocking | fromRoot, 0, 0, 0, 2)
    const report = hazardReport([root.finish(0), leaf.finish(1)])
    expect(report?.code).toBe('BF02')
    expect(report?.evidence.map((row) => row.says)).toEqual([
      'waits for rank 1 to call bcast',
      'waits for rank 0 to send, later, in send',
    ])
  })
})
