import { describe, expect, test } from 'vitest'
import { parseWorkflow } from '../definition/parse/parse-workflow.ts'
import { checkWorkflow } from './check-workflow.ts'

/** Findings of a definition that parses, as `severity code path`. */
function check(definition: object): string[] {
  const parsed = parseWorkflow(definition)
  expect(parsed.findings).toEqual([])
  if (parsed.definition === undefined) return []
  return checkWorkflow(parsed.definition).map(
    ({ severity, code, path }) => `${severity} ${code} ${path.join('.')}`,
  )
}

const end = { type: 'final' }
const flow = (states: object, rest: object = {}) => ({ id: 'x', initial: 'a', states, ...rest })
const ready = { guards: { ok: { field: 'k', op: 'exists' } }, context: { k: 1 } }
const onto = (target: string) => ({ trigger: { file_pattern: 'src/**' }, target })

type Row = [what: string, definition: object, findings: string[]]

const guardRow = (what: string, guard: object, findings: string[]): Row => [
  what,
  flow(
    { a: { on: { GO: { target: 'z', guard: 'g' }, BACK: 'a' } }, z: end },
    { guards: { g: guard }, context: { k: 1 } },
  ),
  findings,
]
const badValue = ['error invalid_guard_value guards.g.value']
const guards: Row[] = [
  guardRow('in without a list', { field: 'k', op: 'in', value: 'x' }, badValue),
  guardRow('in without anything', { field: 'k', op: 'in' }, badValue),
  guardRow('in with a list', { field: 'k', op: 'in', value: [] }, []),
  guardRow('an order of words', { field: 'k', op: 'gt', value: 'many' }, badValue),
  guardRow('an order of null', { field: 'k', op: 'lte', value: null }, badValue),
  guardRow('a date that is none', { field: 'k', op: 'lt', value: '2026-02-30' }, badValue),
  guardRow('a date', { field: 'k', op: 'lt', value: '2026-02-28' }, []),
  guardRow(
    'a time with an offset',
    { field: 'k', op: 'gte', value: '2026-02-28T10:00:00+01:00' },
    [],
  ),
  guardRow('a number', { field: 'k', op: 'gte', value: 0 }, []),
  guardRow('contains without a value', { field: 'k', op: 'contains' }, badValue),
  guardRow('eq with null', { field: 'k', op: 'eq', value: null }, []),
  guardRow('exists without a value', { field: 'k', op: 'exists' }, []),
  guardRow('a field that nothing sets', { field: 'other', op: 'exists' }, [
    'warning guard_field_unset guards.g.field',
  ]),
  guardRow('a path into a field that is set', { field: 'k.deep.er', op: 'exists' }, []),
  guardRow('the branches of a fork, without a fork', { field: 'branches.l.x', op: 'exists' }, [
    'warning guard_field_unset guards.g.field',
  ]),
  [
    'a field that instructions name',
    flow(
      {
        a: {
          instructions: 'Send `score: 1` with BACK.',
          on: { GO: { target: 'z', guard: 'g' }, BACK: 'a' },
        },
        z: end,
      },
      { guards: { g: { field: 'score', op: 'exists' } } },
    ),
    [],
  ],
  [
    'a guard that is read before anything can set its field',
    flow(
      { a: { on: { GO: { target: 'z', guards: ['g'] }, NO: 'z' } }, z: end },
      { guards: { g: { field: 'k', op: 'eq', value: 2 } }, context: { k: 1 } },
    ),
    ['warning guard_field_unset states.a.on.GO.guards.0'],
  ],
  [
    'a guard that the initial context passes',
    flow({ a: { on: { GO: { target: 'z', guard: 'ok' } } }, z: end }, ready),
    [],
  ],
  [
    'a guard in an initial state that an interrupt returns to',
    flow(
      { a: { on: { GO: { target: 'z', guard: 'g' } } }, h: { on: { OK: '$return' } }, z: end },
      {
        guards: { g: { field: 'k', op: 'eq', value: 2 } },
        context: { k: 1 },
        interrupts: { i: onto('h') },
      },
    ),
    [],
  ],
]

const named = { guards: { g: { field: 'cause', op: 'exists' } }, context: { cause: null } }
const deadEnds: Row[] = [
  [
    'a state that cannot be left without a field',
    flow({ a: { on: { GO: 'b' } }, b: { on: { OK: { target: 'z', guard: 'g' } } }, z: end }, named),
    ['warning guarded_dead_end states.b.on'],
  ],
  [
    'the same with a way back',
    flow(
      { a: { on: { GO: 'b' } }, b: { on: { OK: { target: 'z', guard: 'g' }, NO: 'a' } }, z: end },
      named,
    ),
    [],
  ],
  [
    'the same where the guard was passed on the way in',
    flow(
      {
        a: { on: { SET: 'a', GO: { target: 'b', guard: 'g' } } },
        b: { on: { OK: { target: 'z', guards: ['g'] } } },
        z: end,
      },
      named,
    ),
    [],
  ],
  [
    'the same with evidence, which can be made in the state',
    flow(
      { a: { on: { GO: 'b' } }, b: { on: { OK: { target: 'z', guard: 'e' } } }, z: end },
      {
        guards: { e: { evidence: 'tests' } },
        evidence: { tests: { tool: 'Bash', command: 'npm test', stale_after: ['**'] } },
      },
    ),
    [],
  ],
]

const approvals: Row[] = [
  [
    'an approval that nobody waits for',
    flow({ a: { on: { GO: { target: 'z', requires_approval: true } } }, z: end }),
    ['warning approval_mode_none states.a.on.GO.requires_approval'],
  ],
  [
    'an approval in the dashboard',
    flow(
      { a: { on: { GO: { target: 'z', requires_approval: true } } }, z: end },
      { meta: { approval_mode: 'ui' } },
    ),
    [],
  ],
  [
    'an approval that is not required',
    flow({ a: { on: { GO: { target: 'z', requires_approval: false } } }, z: end }),
    [],
  ],
  [
    'an approval announced and never asked for',
    flow({ a: { on: { GO: 'z' } }, z: end }, { meta: { requires_human_approval: true } }),
    ['warning approval_never_asked meta.requires_human_approval'],
  ],
  [
    'an approval that a policy asks for',
    flow(
      { a: { on: { GO: 'z' } }, z: end },
      { meta: { requires_human_approval: true }, policy: { ask: [{ capability: 'bash' }] } },
    ),
    [],
  ],
  [
    'safe_next around a guard',
    flow(
      {
        a: { safe_next: 'b', on: { GO: { target: 'b', guard: 'ok' } } },
        b: { on: { GO: 'z' } },
        z: end,
      },
      ready,
    ),
    ['warning safe_next_bypass states.a.safe_next'],
  ],
  [
    'safe_next where another way is open',
    flow(
      {
        a: { safe_next: 'b', on: { GO: { target: 'b', guard: 'ok' }, WALK: 'b' } },
        b: { on: { GO: 'z' } },
        z: end,
      },
      ready,
    ),
    [],
  ],
  [
    'candidates after one without a guard',
    flow(
      {
        a: {
          on: { GO: [{ target: 'z', guard: 'ok' }, { target: 'z', guards: [] }, { target: 'a' }] },
        },
        z: end,
      },
      ready,
    ),
    ['warning candidate_after_default states.a.on.GO.2'],
  ],
]

const globRow = (pattern: string, findings: string[]): Row => [
  `the glob ${pattern}`,
  flow(
    { a: { on: { GO: 'z' } }, h: { on: { OK: '$return' } }, z: end },
    { interrupts: { i: { trigger: { file_pattern: pattern }, target: 'h' } } },
  ),
  findings,
]
const badGlob = ['error invalid_glob interrupts.i.trigger.file_pattern']
const patterns: Row[] = [
  globRow('src/**/*.{ts,js}', []),
  globRow('app/[id]/page.tsx', []),
  globRow('src/{a,b', badGlob),
  globRow('src/a}', badGlob),
  globRow('src/[a', badGlob),
  globRow('/etc/*', badGlob),
  globRow('C:/x', badGlob),
  globRow('src\\x', badGlob),
  globRow('../x', badGlob),
  globRow('!src/**', badGlob),
  [
    'globs of evidence',
    flow(
      { a: { on: { GO: 'z' } }, z: end },
      { evidence: { e: { tool: 'Bash', stale_after: ['ok/**', '/no'], defined_by: ['a/../b'] } } },
    ),
    ['error invalid_glob evidence.e.stale_after.1', 'error invalid_glob evidence.e.defined_by.0'],
  ],
  [
    'patterns among variable names',
    flow({ a: { blocked_env: ['TOKEN', '*_TOKEN', '$HOME'], on: { GO: 'z' } }, z: end }),
    [
      'error invalid_env_name states.a.blocked_env.1',
      'error invalid_env_name states.a.blocked_env.2',
    ],
  ],
  [
    'tool patterns',
    flow({
      a: {
        allowed_tools: [
          'Read',
          'mcp__github__*',
          'Bash(git log *)',
          'Bash(git',
          'mcp__*__x',
          'Read(x)',
        ],
        on: { GO: 'z' },
      },
      z: end,
    }),
    [
      'error invalid_tool_pattern states.a.allowed_tools.3',
      'error invalid_tool_pattern states.a.allowed_tools.4',
      'error invalid_tool_pattern states.a.allowed_tools.5',
    ],
  ],
  [
    'near misses in meta',
    flow(
      { a: { on: { GO: 'z' } }, z: end },
      { meta: { lockd: true, owner: 'us', aproval_mode: 'ui' } },
    ),
    ['warning meta_near_miss meta.lockd', 'warning meta_near_miss meta.aproval_mode'],
  ],
  [
    'a policy',
    flow(
      { a: { on: { GO: 'z' } }, z: end },
      {
        policy: {
          deny: [{ capability: 'mcp:fs:*' }],
          ask: [{ capability: 'a b:*x' }, { capability: 'mcp:fs:read' }],
          allow: [{ capability: 'bash' }, { capability: 'shell' }, { capability: 'mcp:fsx:read' }],
        },
      },
    ),
    [
      'error invalid_capability policy.ask.0.capability',
      'warning rule_never_reached policy.ask.1.capability',
      'warning rule_never_reached policy.allow.1.capability',
    ],
  ],
]

describe.each([
  ['guards', guards],
  ['dead ends', deadEnds],
  ['approvals and candidates', approvals],
  ['patterns', patterns],
] as const)('WF-2b, WF-3: %s', (_, rows) => {
  test.each(rows)('%s', (_what, definition, findings) => {
    expect(check(definition)).toEqual(findings)
  })
})
