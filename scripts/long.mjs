// Runs the tests that have a length of their own at full length; arguments go to the test runner.
// `npm test` runs a sample of each.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs')

const long = [
  'packages/server/src/cli/replay/hostile.test.ts',
  'packages/server/src/cli/replay/large.test.ts',
  'test/conditions/random.test.ts',
  'test/crash',
  'test/properties',
  'test/prove',
  'test/sandbox/contained.test.ts',
  'test/sessions/crowd.test.ts',
  'test/sessions/simulation.test.ts',
  'test/shell-fuzz',
]

const named = process.argv.slice(2)
const tests = spawnSync(process.execPath, [runner, 'run', ...(named.length === 0 ? long : named)], {
  cwd: root,
  stdio: 'inherit',
  // By the variable the tests know that they have hours.
  env: { ...process.env, STATEWRIGHT_TEST_LONG: '1' },
})
process.exit(tests.status ?? 1)
