import { defineConfig } from 'tsup'

export default defineConfig({
  // The command, the job's process and each rank's thread start at a file of their own.
  entry: ['src/index.ts', 'src/launch/{mpiexec,job,worker}.ts'],
  format: 'esm',
  target: 'node20',
  splitting: true,
  // Every rank loads it: inside of our own file, without its streams, that takes a third of the time.
  noExternal: ['msgpackr'],
  sourcemap: true,
  // Not cleaned: a rebuild must not pull the modules away from a job that is running.
  clean: false,
})
