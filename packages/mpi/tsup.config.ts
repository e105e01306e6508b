import { defineConfig, type Options } from 'tsup'

const shared: Options = {
  format: 'esm',
  target: 'node20',
  splitting: true,
  sourcemap: true,
  // Every rank loads it: inside of our own file, without its streams, that takes a third of the time.
  noExternal: ['msgpackr'],
  // Not cleaned: a rebuild must not pull the modules away from a job that is running.
  clean: false,
}

// A program and the rank that runs it share every module, whichever entry it imports. The job's main
// thread and the command share none with them: built apart, each loads little, and a rank few files.
export default defineConfig([
  {
    ...shared,
    entry: [
      'src/index.ts',
      'src/plan.ts',
      'src/inspect.ts',
      'src/launch/worker.ts',
      'src/launch/explore-worker.ts',
      'src/launch/pool-worker.ts',
      'src/simulate.ts',
    ],
  },
  // Simulation in virtual time: for scripts, and loaded by nobody else.
  { ...shared, entry: { 'simulate/index': 'src/simulate/index.ts' } },
  { ...shared, entry: { 'launch/job': 'src/launch/job.ts' } },
  { ...shared, entry: { 'launch/mpiexec': 'src/launch/mpiexec.ts' } },
])
