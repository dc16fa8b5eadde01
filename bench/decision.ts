import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import {
  compileProgram,
  decideToolCall,
  describeCall,
  type Program,
  parseWorkflow,
  startRun,
} from '@statewright/core/internal'
import { type BenchResult, quantile } from './measure.ts'

/** Time of one decision on a shell call, its analysis included, over the sample of commands. */
export function benchDecision(): BenchResult {
  const program = compiled()
  const by = { kind: 'agent', id: 'bench' } as const
  const { run } = startRun(program, { type: 'started', at: 0, by, hash: program.hash })
  const commands = sampleCommands()
  const decide = (command: string) => {
    const raw = { id: 'c', tool: 'Bash', input: { command } }
    const call = describeCall(raw, { root: '/workspace', hashText })
    return decideToolCall({ program, run, call, by, at: 0 }).decision.kind
  }
  for (let round = 0; round < 150; round++) for (const command of commands) decide(command)
  const tookUs = commands.map((command) => medianUs(() => decide(command)))
  const p99 = quantile(tookUs, 0.99)
  return {
    name: 'decision',
    value: quantile(tookUs, 0.5),
    unit: 'µs (median)',
    target: '<= 20',
    more: { p99, commands: commands.length },
  }
}

function hashText(text: string): string {
  return hash('sha256', text)
}

/** The median of several tries on one command: the sample's spread is wanted, not the machine's. */
function medianUs(work: () => unknown): number {
  const tries: number[] = []
  for (let index = 0; index < 15; index++) {
    const started = process.hrtime.bigint()
    work()
    tries.push(Number(process.hrtime.bigint() - started) / 1000)
  }
  return quantile(tries, 0.5)
}

function sampleCommands(): string[] {
  const file = new URL('../packages/core/src/shell/fixtures/sample.jsonl', import.meta.url)
  const lines = readFileSync(file, 'utf8').trim().split('\n')
  // Our own fixture: each line has a command.
  return lines.map((line) => (JSON.parse(line) as { command: string }).command)
}

function compiled(): Program {
  const parsed = parseWorkflow({
    id: 'bench',
    initial: 'testing',
    states: {
      testing: {
        allowed_tools: ['Read', 'Bash'],
        allowed_commands: ['npm test', 'git log', 'grep', 'cat', 'ls'],
        blocked_env: ['PROD_DB_URL'],
        max_iterations: 1000,
        on: { DONE: 'done' },
      },
      done: { type: 'final' },
    },
  })
  if (parsed.definition === undefined) throw new Error('the definition has findings')
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error('the definition does not compile')
  return program.value
}
