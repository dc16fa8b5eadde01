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
const branch = (initial: string, terminal: string) => ({ initial, terminal })
const fork = (branches: object, rest: object = {}) => ({
  fork: { branches, on_complete: 'z', ...rest },
})
const ready = { guards: { ok: { field: 'k', op: 'exists' } }, context: { k: 1 } }
const onto = (target: string) => ({ trigger: { file_pattern: 'src/**' }, target })

type Row = [what: string, definition: object, findings: string[]]

const names: Row[] = [
  ['a sound workflow', flow({ a: { on: { GO: 'z' } }, z: end }), []],
  [
    'an unknown initial state',
    { ...flow({ z: end }), initial: 'y' },
    ['error unknown_initial initial'],
  ],
  [
    'an unknown target',
    flow({ a: { on: { GO: 'y', OK: 'z' } }, z: end }),
    ['error unknown_target states.a.on.GO'],
  ],
  [
    'an unknown target of a guarded transition',
    flow({ a: { on: { GO: { target: 'y' }, OK: 'z' } }, z: end }),
    ['error unknown_target states.a.on.GO.target'],
  ],
  [
    'an unknown target of a candidate',
    flow({ a: { on: { GO: [{ target: 'z', guard: 'ok' }, { target: 'y' }] } }, z: end }, ready),
    ['error unknown_target states.a.on.GO.1.target'],
  ],
  [
    'an unknown safe_next',
    flow({ a: { safe_next: 'y', on: { GO: 'z' } }, z: end }),
    ['error unknown_safe_next states.a.safe_next'],
  ],
  [
    '$return as safe_next',
    flow({ a: { safe_next: '$return', on: { GO: 'z' } }, z: end }),
    ['error unknown_safe_next states.a.safe_next'],
  ],
  [
    'an unknown guard',
    flow({ a: { on: { GO: { target: 'z', guard: 'g' } } }, z: end }),
    ['error unknown_guard states.a.on.GO.guard'],
  ],
  [
    'an unknown guard in a list',
    flow({ a: { on: { GO: { target: 'z', guards: ['ok', 'g'] } } }, z: end }, ready),
    ['error unknown_guard states.a.on.GO.guards.1'],
  ],
  [
    'a guard called like a member of all objects',
    flow({ a: { on: { GO: { target: 'z', guard: 'toString' } } }, z: end }),
    ['error unknown_guard states.a.on.GO.guard'],
  ],
  [
    'unknown evidence',
    flow(
      { a: { on: { GO: { target: 'z', guard: 'g' } } }, z: end },
      { guards: { g: { evidence: 'e' } } },
    ),
    ['error unknown_evidence guards.g.evidence'],
  ],
  [
    'an unknown interrupt target',
    flow({ a: { on: { GO: 'z' } }, z: end }, { interrupts: { i: onto('y') } }),
    ['error unknown_interrupt_target interrupts.i.target'],
  ],
  [
    'unknown states of a fork',
    flow({ a: { on: { GO: fork({ l: branch('y', 'w') }, { on_fail: 'v' }) } }, z: end }),
    [
      'error unknown_fork_state states.a.on.GO.fork.branches.l.initial',
      'error unknown_fork_state states.a.on.GO.fork.branches.l.terminal',
      'error unknown_fork_target states.a.on.GO.fork.on_fail',
    ],
  ],
  [
    'an unknown end of a fork',
    flow({
      a: { on: { GO: fork({ l: branch('b', 'z') }, { on_complete: 'y' }), OK: 'z' } },
      b: {},
      z: end,
    }),
    ['error unknown_fork_target states.a.on.GO.fork.on_complete'],
  ],
  [
    'unknown ends of an invocation',
    flow({ a: { on: { GO: { invoke: 'x', on_complete: 'y', on_fail: 'w' }, OK: 'z' } }, z: end }),
    [
      'error unknown_invoke_target states.a.on.GO.on_complete',
      'error unknown_invoke_target states.a.on.GO.on_fail',
    ],
  ],
]

const shapes: Row[] = [
  ['no final state', flow({ a: { on: { GO: 'a' } } }), ['error no_final_state states']],
  [
    'a final state that leads on',
    flow({ a: { on: { GO: 'z' } }, z: { type: 'final', on: { BACK: 'a' }, safe_next: 'a' } }),
    ['error final_with_transitions states.z.on', 'error final_with_transitions states.z.safe_next'],
  ],
  [
    'a final state with an empty on',
    flow({ a: { on: { GO: 'z' } }, z: { type: 'final', on: {} } }),
    [],
  ],
  [
    'an outcome before the end',
    flow({ a: { outcome: 'success', on: { GO: 'z' } }, z: end }),
    ['error outcome_not_final states.a.outcome'],
  ],
  [
    'an unreachable state',
    flow({ a: { on: { GO: 'z' } }, b: { on: { GO: 'z' } }, z: end }),
    ['warning unreachable_state states.b'],
  ],
  [
    'a state reached by safe_next',
    flow({ a: { safe_next: 'b' }, b: { on: { GO: 'z' } }, z: end }),
    [],
  ],
  [
    'a state reached by an interrupt',
    flow(
      { a: { on: { GO: 'z' } }, h: { on: { OK: '$return' } }, z: end },
      { interrupts: { i: onto('h') } },
    ),
    [],
  ],
  [
    'a state reached when a child ends',
    flow({
      a: { on: { GO: { invoke: 'x', on_complete: 'z', on_fail: 'b' } } },
      b: { on: { GO: 'z' } },
      z: end,
    }),
    [],
  ],
  [
    'a state that nothing leaves',
    flow({ a: { on: { GO: 'b', OK: 'z' } }, b: {}, z: end }),
    ['warning no_way_to_final states.b'],
  ],
  [
    'two states that only lead to each other',
    flow({ a: { on: { GO: 'b', OK: 'z' } }, b: { on: { X: 'c' } }, c: { on: { X: 'b' } }, z: end }),
    ['warning no_way_to_final states.b', 'warning no_way_to_final states.c'],
  ],
  [
    'a handler that only returns',
    flow(
      { a: { on: { GO: 'z' } }, h: { on: { OK: '$return' } }, z: end },
      { interrupts: { i: onto('h') } },
    ),
    [],
  ],
  [
    'a state of a branch that nothing leaves',
    flow({ a: { on: { GO: fork({ l: branch('b', 'd') }) } }, b: {}, d: end, z: end }),
    [],
  ],
]

const returns: Row[] = [
  [
    '$return outside an interrupt',
    flow({ a: { on: { GO: 'z', BACK: '$return' } }, z: end }),
    ['error return_outside_interrupt states.a.on.BACK'],
  ],
  [
    '$return two steps into a handler',
    flow(
      {
        a: { on: { GO: 'z' } },
        h: { on: { MORE: 'i', OK: '$return' } },
        i: { on: { OK: { target: '$return' } } },
        z: end,
      },
      { interrupts: { i: onto('h') } },
    ),
    [],
  ],
  [
    '$return after the handler was left',
    flow(
      {
        a: { on: { GO: 'z' } },
        h: { on: { OUT: 'b' } },
        b: { on: { ON: 'c', GO: 'z' } },
        c: { on: { OK: '$return' } },
        z: end,
      },
      { interrupts: { i: onto('h') } },
    ),
    [
      'error return_outside_interrupt states.c.on.OK',
      'warning interrupt_without_return interrupts.i.target',
    ],
  ],
]

const forks: Row[] = [
  [
    'a fork without branches',
    flow({ a: { on: { GO: fork({}) } }, z: end }),
    ['error fork_without_branches states.a.on.GO.fork.branches'],
  ],
  [
    'a branch whose terminal is not final',
    flow({
      a: { on: { GO: fork({ l: branch('b', 'd') }) } },
      b: { on: { GO: 'd' } },
      d: {},
      z: end,
    }),
    ['error fork_terminal_not_final states.a.on.GO.fork.branches.l.terminal'],
  ],
  [
    'branches that share a state',
    flow({
      a: { on: { GO: fork({ l: branch('b', 'd'), m: branch('c', 'e') }) } },
      b: { on: { X: 's' } },
      c: { on: { X: 's' } },
      s: { on: { D: 'd', E: 'e' } },
      d: end,
      e: end,
      z: end,
    }),
    ['warning shared_branch_state states.a.on.GO.fork.branches.m'],
  ],
  [
    'branches that fail into the same end',
    flow({
      a: { on: { GO: fork({ l: branch('b', 'd'), m: branch('c', 'e') }) } },
      b: { on: { D: 'd', F: 'f' } },
      c: { on: { E: 'e', F: 'f' } },
      d: end,
      e: end,
      f: end,
      z: end,
    }),
    [],
  ],
  [
    'a fork inside a branch',
    flow({
      a: { on: { GO: fork({ l: branch('b', 'd') }) } },
      b: { on: { D: 'd', GO: fork({ m: branch('c', 'd') }) } },
      c: {},
      d: end,
      z: end,
    }),
    ['error fork_in_branch states.b.on.GO.fork'],
  ],
]

describe.each([
  ['names', names],
  ['shapes', shapes],
  ['returns', returns],
  ['forks', forks],
] as const)('WF-3, WF-20: %s', (_, rows) => {
  test.each(rows)('%s', (_what, definition, findings) => {
    expect(check(definition)).toEqual(findings)
  })
})
