import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

/**
 * Plays an outside benchmark through the core: `npm run bench:outside -- agentdojo` or `-- tau`.
 * The sets are not ours and not in the repository; each brings its own player, which counts.
 */
const sets: Readonly<Record<string, string>> = { agentdojo: 'agentdojo.ts', tau: 'tau.ts' }

const [name = '', ...options] = process.argv.slice(2)
process.exitCode = playSet()

function playSet(): number {
  const guard = Object.hasOwn(sets, name) ? sets[name] : undefined
  if (guard === undefined) {
    process.stderr.write(
      `Usage: npm run bench:outside -- ${Object.keys(sets).join('|')} [options]\n`,
    )
    return 2
  }
  const besides = fileURLToPath(new URL('../../../shared/bench', import.meta.url))
  const folder = process.env.STATEWRIGHT_BENCH ?? besides
  const player = join(folder, name, 'play.mjs')
  if (!existsSync(player)) {
    process.stdout.write(
      `The ${name} set is not here: ${player} does not exist. ` +
        'Set STATEWRIGHT_BENCH to the folder that holds it.\n',
    )
    return 0
  }
  const ours = fileURLToPath(new URL(guard, import.meta.url))
  return spawnSync(process.execPath, [player, ours, ...options], { stdio: 'inherit' }).status ?? 1
}
