import { parseArgs } from 'node:util'
import { campaign, Pool } from './campaign.ts'
import { checkOutcome } from './check.ts'
import { canCage } from './runner.ts'
import { shrink } from './shrink.ts'

/**
 * The long run: `node test/shell-fuzz/run.ts --seed 1 --count 20000`. With `--line` it checks one
 * line and tells what bash did with it.
 */
const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20000' },
    line: { type: 'string' },
    most: { type: 'string', default: '25' },
  },
})

const isCaged = await canCage()
const pool = new Pool(isCaged)
try {
  process.exitCode = values.line === undefined ? await long() : await single(values.line)
} finally {
  pool.close()
}

async function long(): Promise<number> {
  const [seed, count] = [Number(values.seed), Number(values.count)]
  console.error(`seed ${seed}, ${count} lines, ${isCaged ? 'caged' : 'no cage: fewer forms'}`)
  const start = performance.now()
  const { failures, ...figures } = await campaign(pool, seed, count)
  const seconds = Math.round((performance.now() - start) / 1000)
  console.log(JSON.stringify({ seed, ...figures, failures: failures.length, seconds }))
  const shown = new Set<string>()
  for (const failure of failures.slice(0, Number(values.most))) {
    const { kind, line, details } = await shrink(pool, failure)
    if (shown.has(line)) continue
    shown.add(line)
    console.log(JSON.stringify({ kind, line, details, from: failure.line }))
  }
  return failures.length === 0 ? 0 : 1
}

async function single(line: string): Promise<number> {
  let code = 1
  await pool.run([line].values(), (outcome) => {
    const checked = checkOutcome(outcome)
    console.log(JSON.stringify({ outcome, checked }, null, 2))
    code = checked.failure === null ? 0 : 1
  })
  return code
}
