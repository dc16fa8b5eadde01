import type { JsonObject } from '@statewright/core/internal'
import type { Pick } from './picker.ts'

// What a random definition knows and asks about calls: a fact that reading teaches, a mark that
// editing or a command sets, and conditions on both, on the call itself and on what was sent.

export interface RandomConditions {
  /** The parts of a definition that hold them. */
  readonly definition: JsonObject
  /** Guards on conditions, by name. */
  readonly guards: Readonly<Record<string, JsonObject>>
}

export function randomConditions(pick: Pick): RandomConditions {
  const isKeyed = pick([true, false])
  const hasMark = pick([true, true, false])
  const known = isKeyed ? `facts.r['a.txt']` : 'facts.r'
  const asked = isKeyed ? 'facts.r[args.file_path]' : 'facts.r'
  const ofRuns = [
    `${known} == 1`,
    'has(facts.r)',
    '!has(facts.r)',
    `state == 's1'`,
    'context.a == 1',
  ]
  const ofMarks = hasMark ? ['marks.m', '!marks.m', `marks.m || ${known} == 2`] : []
  const guards = [pick([...ofRuns, ...ofMarks]), pick([...ofRuns, ...ofMarks])]
  return {
    definition: {
      facts: { r: randomFact(pick, isKeyed) },
      ...(hasMark ? { marks: { m: randomMark(pick) } } : {}),
      ...(pick([true, true, false])
        ? { calls: randomRules(pick, asked, [...ofRuns, ...ofMarks]) }
        : {}),
    },
    guards: Object.fromEntries(guards.map((when, index) => [`when_${index}`, { when }])),
  }
}

function randomFact(pick: Pick, isKeyed: boolean): JsonObject {
  return {
    from: 'Read',
    ...(isKeyed ? { key: 'args.file_path' } : {}),
    ...(pick([true, true, false]) ? { value: 'result.n' } : {}),
    ...(pick([true, false]) ? { when: 'result.ok' } : {}),
    ...(pick([true, false, false]) ? { forget_on: pick(['Edit', 'Bash']) } : {}),
    ...(pick([true, false, false]) ? { expires: '10m' } : {}),
  }
}

function randomMark(pick: Pick): JsonObject {
  return pick([
    { on: 'Edit' },
    { on: 'Bash' },
    { on: 'Bash', when: `args.command == 'npm test'` },
    { on: 'Edit', when: `args.file_path == 'src/a.ts'` },
    { on: ['Read', 'Edit'], when: `args.file_path == 'a.txt'` },
  ])
}

function randomRules(pick: Pick, asked: string, known: readonly string[]): JsonObject {
  const rules: Readonly<Record<string, readonly string[]>> = {
    Edit: [...known, `args.file_path == 'src/a.ts'`, `${asked} == 1`],
    Bash: [...known, `args.command == 'npm test'`],
    Read: [...known.filter((one) => !one.includes('facts')), `args.file_path == 'a.txt'`],
  }
  const tool = pick(['Edit', 'Edit', 'Bash', 'Bash', 'Read'])
  return { [tool]: [{ require: pick(rules[tool] ?? []), message: 'no' }] }
}

/** An interrupt that some result fires. */
export function randomDetour(pick: Pick, target: string): JsonObject {
  const when = pick(['result.n == 2', 'result.ok', `args.file_path == 'a.txt'`])
  return { trigger: { tool: 'Read', when }, target }
}

/** What reading answers with. */
export const results = [{ n: 1, ok: true }, { n: 2, ok: true }, { ok: false }] as const
