/** The twins of one run: looked for, built into a temporary folder, started. */
import { join } from 'node:path'
import { executables, run } from './commands.mjs'
import * as natives from './natives.mjs'

const TITLES = { openmpi: 'Open MPI', mpich: 'MPICH' }

export class Twins {
  /** Figures of C's memcpy in MB/s by message size in bytes; undefined without a C compiler. */
  memcpy
  #sources
  #folder
  #say
  #mpis = {}
  #mpi4py
  #missing = []

  /** `sources` holds the twins, `folder` takes what is built, `say` reports progress. */
  constructor({ sources, folder, say }) {
    this.#sources = sources
    this.#folder = folder
    this.#say = say
  }

  /** Finds and builds what the measures need, and says what is missing. */
  async prepare(measures) {
    await this.#measureMemcpy()
    for (const flavour of ['openmpi', 'mpich']) {
      const programs = measures.filter(({ twins }) => twins.includes(flavour))
      if (programs.length) await this.#prepareMpi(flavour, new Set(programs.map((m) => m.program)))
    }
    if (measures.some(({ twins }) => twins.includes('mpi4py'))) {
      this.#mpi4py = await natives.findMpi4py()
      if (!this.#mpi4py) this.#leaveOut('mpi4py: no Python that has it found')
    }
    if (!this.#mpi4py && Object.keys(this.#mpis).length === 0)
      this.#say('no twin to compare with: ours alone')
  }

  has(side) {
    return side === 'mpi4py' ? this.#mpi4py !== undefined : this.#mpis[side] !== undefined
  }

  /** The command that runs one side of a measure. */
  command(measure, side, cores) {
    const { ranks, program } = measure
    if (side === 'mpi4py') {
      const { python, flavour, launcher } = this.#mpi4py
      const command = [python, join(this.#sources, `${program}.py`), ...measure.args]
      return natives.launchCommand(flavour, launcher, { ranks, cores, command })
    }
    const args = (side === 'mpich' && ranks > cores && measure.mpichArgs) || measure.args
    const command = [this.#path(program, side), ...args]
    return natives.launchCommand(side, this.#mpis[side].launcher, { ranks, cores, command })
  }

  /** One line each: version, how it copies large messages, what was not found. */
  describe() {
    const lines = Object.values(this.#mpis).map(
      ({ title, singleCopy }) => `${title}: ${singleCopy}`,
    )
    if (this.#mpi4py) lines.push(this.#mpi4py.title)
    return [...lines, ...this.#missing]
  }

  #leaveOut(reason) {
    this.#missing.push(reason)
    this.#say(`${reason}, left out`)
  }

  async #prepareMpi(flavour, programs) {
    const mpi = await natives.findMpi(flavour)
    if (!mpi) return this.#leaveOut(`${TITLES[flavour]}: no compiler and launcher found`)
    this.#say(`${mpi.title}: building the twins`)
    for (const program of programs.add('latency'))
      await natives.compile(mpi.compiler, this.#source(program), this.#path(program, flavour))
    const singleCopy =
      flavour === 'openmpi'
        ? await natives.openMpiSingleCopy(join(this.#folder, 'single-copy'))
        : await natives.mpichSingleCopy(mpi.launcher, this.#path('latency', flavour))
    this.#mpis[flavour] = { ...mpi, singleCopy }
  }

  async #measureMemcpy() {
    const compiler = ['cc', 'gcc', 'clang'].flatMap(executables)[0]
    if (!compiler) return this.#leaveOut('C memcpy: no C compiler found')
    this.#say('C memcpy: measuring the ceiling')
    for (const program of ['memcpy', 'single-copy'])
      await natives.compile(compiler, this.#source(program), join(this.#folder, program))
    const { stdout } = await run([join(this.#folder, 'memcpy')])
    const lines = stdout.matchAll(/^(\d+)\s+([\d.]+)$/gm)
    this.memcpy = Object.fromEntries([...lines].map(([, bytes, rate]) => [bytes, Number(rate)]))
  }

  #source(program) {
    return join(this.#sources, `${program}.c`)
  }

  #path(program, flavour) {
    return join(this.#folder, `${program}.${flavour}`)
  }
}
