import { defineConfig } from 'tsup'

export default defineConfig({
  entry: ['src/index.ts'],
  format: 'esm',
  target: 'node20',
  sourcemap: true,
  // Not cleaned: a rebuild must not pull the modules away from a test that is running.
  clean: false,
})
