// Plays simulated stories against the session machine and the engine: `npm run sim -- --seed 7`
// tries one again, `--long` takes hours. Without a seed each run takes another one and says it.
import { spawnSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const { values } = parseArgs({
  options: { seed: { type: 'string' }, long: { type: 'boolean', default: false } },
})
const seed = values.seed ?? String(Date.now() % 1_000_000_000)
process.stderr.write(`seed ${seed}\n`)
const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs')
const stories = ['test/sessions/simulation.test.ts', 'test/properties']
const played = spawnSync(process.execPath, [runner, 'run', ...stories], {
  cwd: root,
  stdio: 'inherit',
  env: {
    ...process.env,
    STATEWRIGHT_SEED: seed,
    ...(values.long ? { STATEWRIGHT_TEST_LONG: '1' } : {}),
  },
})
process.exit(played.status ?? 1)
