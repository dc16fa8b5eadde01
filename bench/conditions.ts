import { hash } from 'node:crypto'
import {
  compileProgram,
  decideToolCall,
  describeCall,
  type Program,
  parseWorkflow,
  type RunSnapshot,
  reduceRun,
  startRun,
} from '@statewright/core/internal'
import { describeFor } from '../packages/core/src/decide/describe-call.ts'
import { type BenchResult, quantile } from './measure.ts'

const by = { kind: 'agent', id: 'bench' } as const
const conditions = 100

/**
 * Time of one decision under a definition with a hundred conditions, three of which speak of the
 * call, its description included; and what a definition without any pays for their being there.
 */
export function benchConditions(): BenchResult {
  const program = compiled(conditions)
  const learnt = taught(program)
  const run = startRun(program, { type: 'started', at: 0, by, hash: program.hash }).run
  const known = { ...run, ...learnt }
  const input = { account: 'a1', amount: 5, to: 'b2', note: 'rent' }
  const raw = { id: 'c', tool: 'mcp__bank__transfer', input }
  const workspace = { root: '/workspace', hashText }
  const decide = () => {
    const call = describeFor(program, raw, workspace)
    return decideToolCall({ program, run: known, call, by, at: 1 }).decision.kind
  }
  if (decide() !== 'allow') throw new Error('the conditions do not hold')
  const plain = compiled(0)
  const bare = startRun(plain, { type: 'started', at: 0, by, hash: plain.hash }).run
  const without = () =>
    decideToolCall({
      program: plain,
      run: bare,
      call: describeCall(raw, workspace),
      by,
      at: 1,
    }).decision.kind
  for (let round = 0; round < 5000; round++) {
    decide()
    without()
  }
  const took: number[] = []
  const tookWithout: number[] = []
  for (let round = 0; round < 2000; round++) {
    took.push(microseconds(decide))
    tookWithout.push(microseconds(without))
  }
  return {
    name: 'conditions',
    value: quantile(took, 0.5),
    unit: 'µs (median)',
    target: '<= 20',
    more: { p99: quantile(took, 0.99), without: quantile(tookWithout, 0.5), conditions },
  }
}

function microseconds(work: () => unknown): number {
  const started = process.hrtime.bigint()
  work()
  return Number(process.hrtime.bigint() - started) / 1000
}

function hashText(text: string): string {
  return hash('sha256', text)
}

/** A balance as a result would teach it. */
function taught(program: Program): Pick<RunSnapshot, 'facts'> {
  let { run } = startRun(program, { type: 'started', at: 0, by, hash: program.hash })
  const call = { id: 'r', tool: 'mcp__bank__get_balance', input: { account: 'a1' } }
  run = reduceRun(program, run, {
    type: 'tool_requested',
    at: 0,
    by,
    call: describeFor(program, call, { root: '/workspace', hashText }),
    approvalId: 'apr',
    approvalExpiresAt: 1,
  }).run
  run = reduceRun(program, run, {
    type: 'tool_finished',
    at: 0,
    by,
    callId: 'r',
    bytes: 0,
    exit: 'success',
    source: 'observed',
    learnt: { bench: { balance: [{ key: 'a1', value: 10 }] } },
  }).run
  return run.facts === undefined ? {} : { facts: run.facts }
}

function compiled(count: number): Program {
  const others = Array.from({ length: Math.max(0, count - 3) }, (_, index) => [
    `mcp__other__tool_${index}`,
    [{ require: `args.size <= ${index} && !marks.sent`, message: 'Smaller.' }],
  ])
  const transfer = [
    { require: 'args.amount <= facts.balance[args.account]', message: 'Read the balance.' },
    { require: '!marks.sent || args.to == "b2"', message: 'One recipient.' },
    { require: 'size(args.note) < 100 && args.amount > 0', message: 'A short note.' },
  ]
  const parsed = parseWorkflow({
    id: 'bench',
    initial: 'working',
    ...(count === 0
      ? {}
      : {
          facts: {
            balance: { from: 'mcp__bank__get_balance', key: 'args.account', value: 'result.sum' },
          },
          marks: { sent: { on: 'mcp__mail__send' } },
          calls: { mcp__bank__transfer: transfer, ...Object.fromEntries(others) },
        }),
    states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
  })
  if (parsed.definition === undefined) throw new Error(JSON.stringify(parsed.findings))
  const program = compileProgram({ kind: 'workflow', definition: parsed.definition })
  if (!program.ok) throw new Error('the definition does not compile')
  return program.value
}
