// Says every few seconds what runs, where the runner's own live display has no terminal.

import { relative } from 'node:path'
import type { Reporter, TestModule } from 'vitest/node'

const intervalMs = 10_000

export class ProgressReporter implements Reporter {
  readonly #running = new Set<string>()
  #finishedTests = 0
  #timer: NodeJS.Timeout | undefined

  onTestRunStart(): void {
    const start = Date.now()
    this.#timer = setInterval(() => {
      const seconds = Math.round((Date.now() - start) / 1000)
      const files = [...this.#running].join(', ') || 'the next file'
      console.log(`   ${seconds} s: ${this.#finishedTests} tests done, now ${files}`)
    }, intervalMs)
  }

  onTestModuleStart(module: TestModule): void {
    this.#running.add(relative(process.cwd(), module.moduleId))
  }

  onTestCaseResult(): void {
    this.#finishedTests++
  }

  onTestModuleEnd(module: TestModule): void {
    this.#running.delete(relative(process.cwd(), module.moduleId))
  }

  onTestRunEnd(): void {
    clearInterval(this.#timer)
  }
}
