import { defineConfig } from 'tsup'

export default defineConfig({
  // The simulated fabric apart: what most worlds do not need is not loaded.
  entry: ['src/index.ts', 'src/fabric/simulated/index.ts'],
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  // Not cleaned: a rebuild must not pull the modules away from a job that is running.
  clean: false,
})
