import { cpSync, mkdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import { defineConfig, type Options } from 'tsup'

const require = createRequire(import.meta.url)

function copyReportPage(): void {
  mkdirSync('dist/report', { recursive: true })
  for (const name of ['page.browser.js', 'page.css']) {
    cpSync(`report-page/${name}`, `dist/report/${name}`)
  }
  cpSync(require.resolve('echarts/dist/echarts.min.js'), 'dist/report/echarts.min.js')
}

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
    entry: {
      index: 'src/index.ts',
      plan: 'src/plan.ts',
      inspect: 'src/inspect.ts',
      simulate: 'src/simulate.ts',
      'launch/worker': 'src/launch/rank/worker.ts',
      'launch/clock-worker': 'src/launch/rank/clock-worker.ts',
      'launch/explore-worker': 'src/launch/pool/explore-worker.ts',
      'launch/pool-worker': 'src/launch/pool/pool-worker.ts',
    },
    // What the page of a run in virtual time is made of.
    onSuccess: async () => copyReportPage(),
  },
  // Simulation in virtual time: for scripts, and loaded by nobody else.
  { ...shared, entry: { 'simulate/index': 'src/simulate/index.ts' } },
  { ...shared, entry: { 'launch/job': 'src/launch/job/job.ts' } },
  { ...shared, entry: { 'launch/mpiexec': 'src/launch/command/mpiexec.ts' } },
])
