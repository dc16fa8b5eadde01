import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { LongestFirst } from './test/support/longest-first.ts'

export default defineConfig({
  test: {
    // Bounds for what hangs, not for what is slow: the machine may have other work to do.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // The usual second is a bound for what is slow: a busy machine takes longer for a new process.
    expect: { poll: { timeout: 20_000, interval: 20 } },
    sequence: { sequencer: LongestFirst },
    // Many tests wait for a process or a database, so that one more than the cores keeps them busy.
    maxWorkers: 3,
    // Commands that tests start compile the same files again and again; this keeps what was made.
    env: { NODE_COMPILE_CACHE: join(import.meta.dirname, 'node_modules/.cache/compiled') },
    include: ['packages/*/src/**/*.test.ts', 'test/**/*.test.ts'],
    // Our modules hold no state of their own, so that files may share them: loading the server for
    // every file again took longer than most tests.
    isolate: false,
  },
})
