import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { hazardReport } from '../../src/diagnose/hazard-report.js'
import { replay } from '../../src/diagnose/replay.js'
import { aPaper, runOnPaper, type Paper } from './message-machine.js'

const ended = (paper: Paper, stoppedAt: readonly number[]): boolean =>
  paper.every((steps, rank) => stoppedAt[rank] === steps.length)

/** Programs that end when sends are buffered: only of these a buffering check has to say anything. */
const aRun = aPaper
  .map((paper) => ({ paper, run: runOnPaper(paper, { buffered: true }) }))
  .filter(({ paper, run }) => ended(paper, run.stoppedAt))

describe('replay', () => {
  it('stops exactly the ranks that stop when every send is synchronous', () => {
    let stuck = 0
    fc.assert(
      fc.property(aRun, ({ paper, run }) => {
        const real = runOnPaper(paper, { buffered: false })
        const ends = replay(run.traces).frontier.map((one) => one.ending === 'finished')
        const expected = paper.map((steps, rank) => real.stoppedAt[rank] === steps.length)
        expect(ends).toEqual(expected)
        if (expected.includes(false)) stuck++
      }),
      { numRuns: 1500 },
    )
    expect(stuck).toBeGreaterThan(100)
  })

  it('does so as well with collectives that wait for everybody', () => {
    fc.assert(
      fc.property(aRun, ({ paper, run }) => {
        const real = runOnPaper(paper, { buffered: false, synchronising: true })
        const ends = replay(run.traces, { synchronising: true }).frontier.map(
          (one) => one.ending === 'finished',
        )
        expect(ends).toEqual(paper.map((steps, rank) => real.stoppedAt[rank] === steps.length))
      }),
      { numRuns: 1000 },
    )
  })
})

describe('hazardReport', () => {
  it('is there if and only if the program deadlocks with synchronous sends', () => {
    fc.assert(
      fc.property(aRun, ({ paper, run }) => {
        fc.pre(run.unreceived === 0)
        const real = runOnPaper(paper, { buffered: false })
        const report = hazardReport(run.traces)
        expect(report?.code === 'BF01').toBe(!ended(paper, real.stoppedAt))
        const strict = runOnPaper(paper, { buffered: false, synchronising: true })
        expect(report !== undefined).toBe(!ended(paper, strict.stoppedAt))
      }),
      { numRuns: 1500 },
    )
  })

  it('is silent rather than wrong when traces stop early', () => {
    fc.assert(
      fc.property(aPaper, fc.nat({ max: 12 }), (paper, limit) => {
        const run = runOnPaper(paper, { buffered: true, limit })
        fc.pre(ended(paper, run.stoppedAt))
        const strict = runOnPaper(paper, { buffered: false, synchronising: true })
        if (ended(paper, strict.stoppedAt)) expect(hazardReport(run.traces)).toBeUndefined()
      }),
      { numRuns: 1500 },
    )
  })
})
