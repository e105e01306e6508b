/**
 * How much of a collective's i-form is hidden behind a computation as long as the collective, in the
 * manner of osu_iallreduce. `-t TESTS` calls `test` that often while computing: progress is made
 * inside MPI calls only.
 */
import { SUM, type Mpi, type Request } from '@commworld/mpi'
import { extentOf, readCollectiveSettings, type CollectiveSettings } from './collective-settings.js'
import { printHead, printTimes } from './columns.js'
import { calibrate, compute } from './computation.js'
import { CollectiveMemory } from './operands.js'
import { timeCalls, warmUp } from './timed-calls.js'

export default function main(mpi: Mpi) {
  const task = readCollectiveSettings(mpi.args)
  const { collective, settings } = task
  const stepSeconds = calibrate(mpi.wtime)
  const memory = new CollectiveMemory(mpi, collective, settings.maxBytes)
  if (mpi.world.rank === 0) {
    const columns = ['Overall(us)', 'Compute(us)', 'Test(us)', 'Pure Comm.(us)', 'Overlap(%)']
    printHead(`${collective.title}, i-form`, ...columns)
  }
  for (const bytes of memory.wholeMessages(settings.sizes)) {
    const operands = memory.operands(bytes, task.options)
    timeSize(mpi, task, { bytes, start: collective.start(mpi.world, operands), stepSeconds })
    memory.check(bytes, operands)
  }
}

function timeSize(
  mpi: Mpi,
  task: CollectiveSettings,
  { bytes, start, stepSeconds }: { bytes: number; start: Start; stepSeconds: number },
): void {
  const { world, wtime } = mpi
  const mean = (value: number) => world.allreduce(value, SUM) / world.size
  const pure = () => start().wait()
  const half = { ...extentOf(task, bytes), budgetSeconds: task.budgetSeconds / 2, barriers: true }
  const iterations = warmUp(mpi, pure, half)
  world.barrier()
  const pureSeconds = mean(timeCalls(mpi, pure, { iterations, barriers: true }) / iterations)

  const steps = Math.round(pureSeconds / stepSeconds / (task.tests + 1))
  const busy = new BusyCall({ wtime, start, tests: task.tests, steps })
  world.barrier()
  const run = () => busy.run()
  const overall = mean(timeCalls(mpi, run, { iterations, barriers: true }) / iterations)
  const computing = mean(busy.computeSeconds / iterations)
  const testing = mean(busy.testSeconds / iterations)
  const overlap = Math.max(0, 1 - (overall - computing) / pureSeconds)
  const times = [overall, computing, testing, pureSeconds].map((seconds) => seconds * 1e6)
  if (world.rank === 0) printTimes(bytes, [...times, overlap * 100])
}

type Start = () => Request<void>

/** An i-form with a computation before its `wait`, cut into pieces by the tests. */
class BusyCall {
  computeSeconds = 0
  testSeconds = 0
  /** Kept, so that the computation has a purpose. */
  result = 0
  readonly #wtime: Mpi['wtime']
  readonly #start: Start
  readonly #tests: number
  readonly #steps: number

  /** `steps` is the length of one piece. */
  constructor(parts: { wtime: Mpi['wtime']; start: Start; tests: number; steps: number }) {
    this.#wtime = parts.wtime
    this.#start = parts.start
    this.#tests = parts.tests
    this.#steps = parts.steps
  }

  run(): void {
    const request = this.#start()
    this.#compute()
    for (let i = 0; i < this.#tests; i++) {
      const start = this.#wtime()
      request.test()
      this.testSeconds += this.#wtime() - start
      this.#compute()
    }
    request.wait()
  }

  #compute(): void {
    const start = this.#wtime()
    this.result += compute(this.#steps)
    this.computeSeconds += this.#wtime() - start
  }
}
