import { readFileSync } from 'node:fs'
import type { Random } from '../../packages/server/testing/random.ts'
import { generateLine } from './generate.ts'
import { mutateLine } from './mutate.ts'

const sampleFile = new URL('../../packages/core/src/shell/fixtures/sample.jsonl', import.meta.url)

function readSample(): readonly string[] {
  const lines = readFileSync(sampleFile, 'utf8').trimEnd().split('\n')
  return lines.map((line) => (JSON.parse(line) as { command: string }).command) // Our own fixture.
}

/** The lines of a run: made by the grammar, mutated, and mutations of the sample. */
export function* corpus(random: Random): Generator<string> {
  const sample = readSample()
  for (;;) {
    const roll = random.below(20)
    const made = generateLine(random)
    if (roll < 11) yield made
    else if (roll < 16) yield mutateLine(made, generateLine(random), random)
    else if (roll < 19) yield mutateLine(random.pick(sample), made, random)
    else yield random.pick(sample)
  }
}
