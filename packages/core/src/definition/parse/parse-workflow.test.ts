import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { growsLinearly } from '../../base/growth.test-kit.ts'
import { limits } from '../../base/limits.ts'
import { parseWorkflow } from './parse-workflow.ts'

const sound = {
  id: 'x',
  initial: 'a',
  states: { a: { on: { GO: 'b' } }, b: { type: 'final' } },
}

/** A definition that has every field there is. */
const full = {
  ...sound,
  sandbox: 'required',
  output: ['verdict'],
  policy: { allow: [{ capability: 'bash', reserve_usd: 0.5 }], default: 'deny' },
  evidence: {
    tests: { tool: 'Bash', command: 'npm test', exit: 'success', trust: 'reported' },
  },
  interrupts: { i: { trigger: { file_pattern: '*.ts', shell: true }, target: 'a' } },
  meta: { locked: true, description: 'x' },
  context: { score: 1 },
  guards: { g: { field: 'score', op: 'gte', value: 1 }, e: { evidence: 'tests' } },
  states: {
    a: {
      approval_timeout_ms: 1000,
      background: true,
      sandbox: 'off',
      model: 'm',
      thinking_level: 'high',
      on: {
        ONE: { target: 'b', requires_approval: true, approval_timeout_ms: 1 },
        CHILD: { invoke: 'y', on_complete: 'b', on_fail: 'a', input: { k: 1 } },
        SPLIT: { fork: { branches: { l: { initial: 'a', terminal: 'b' } }, on_complete: 'b' } },
        LIST: [{ target: 'b', requires_approval: true, approval_timeout_ms: 2 }],
      },
    },
    b: { type: 'final', outcome: 'failure' },
  },
}

/** Every place of a value. */
function pathsOf(value: unknown): string[][] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, member]) => [
    [name],
    ...pathsOf(member).map((rest) => [name, ...rest]),
  ])
}

const replacement = fc.option(fc.oneof(fc.jsonValue(), fc.constant({}), fc.constant([])), {
  nil: undefined,
})

/** Findings as `code path` and, where it matters, the sentence. */
function codesOf(input: unknown): string[] {
  return parseWorkflow(input).findings.map(({ code, path }) => `${code} ${path.join('.')}`)
}

function messagesOf(input: unknown): string[] {
  return parseWorkflow(input).findings.map(({ message }) => message)
}

const withState = (state: object) => ({ ...sound, states: { ...sound.states, a: state } })
const withTransition = (transition: unknown) => withState({ on: { GO: transition } })

describe('unknown fields', () => {
  test('WF-2: a typo is named with its place and the right name', () => {
    const text = `{
  "id": "x",
  "initial": "a",
  "states": {
    "a": {
      "type": "final",
      "allowed_tolls": []
    }
  }
}`
    expect(parseWorkflow(text)).toEqual({
      findings: [
        {
          code: 'unknown_field',
          severity: 'error',
          path: ['states', 'a', 'allowed_tolls'],
          message: 'Unknown field "allowed_tolls". Did you mean "allowed_tools"?',
          line: 7,
          column: 7,
        },
      ],
    })
  })

  test.each([
    ['at the top', { ...sound, state: {} }, 'state', 'states'],
    ['in a state', withState({ max_iteration: 3 }), 'states.a.max_iteration', 'max_iterations'],
    [
      'in a guard',
      { ...sound, guards: { g: { feild: 'x', op: 'eq' } } },
      'guards.g.feild',
      'field',
    ],
    [
      'in a transition',
      withTransition({ target: 'b', gaurd: 'g' }),
      'states.a.on.GO.gaurd',
      'guard',
    ],
    ['in a candidate', withTransition([{ targt: 'b' }]), 'states.a.on.GO.0.targt', 'target'],
    [
      'in a fork',
      withTransition({ fork: { branches: {}, on_complet: 'b' } }),
      'states.a.on.GO.fork.on_complet',
      'on_complete',
    ],
    [
      'in a branch',
      withTransition({
        fork: { branches: { l: { initial: 'a', terminal: 'b', end: 'b' } }, on_complete: 'b' },
      }),
      'states.a.on.GO.fork.branches.l.end',
      undefined,
    ],
    [
      'in an invocation',
      withTransition({ invoke: 'y', on_complete: 'b', inptu: {} }),
      'states.a.on.GO.inptu',
      'input',
    ],
    [
      'in a trigger',
      { ...sound, interrupts: { i: { trigger: { file_patern: '*' }, target: 'a' } } },
      'interrupts.i.trigger.file_patern',
      'file_pattern',
    ],
    ['in evidence', { ...sound, evidence: { e: { tol: 'Bash' } } }, 'evidence.e.tol', 'tool'],
    [
      'in a policy rule',
      { ...sound, policy: { allow: [{ capability: 'bash', rate_limt: {} }] } },
      'policy.allow.0.rate_limt',
      'rate_limit',
    ],
  ])('WF-2: %s', (_, definition, path, meant) => {
    const { findings } = parseWorkflow(definition)
    expect(findings.map((one) => `${one.code} ${one.path.join('.')}`)).toEqual([
      `unknown_field ${path}`,
    ])
    if (meant !== undefined) expect(findings[0]?.message).toContain(`Did you mean "${meant}"?`)
    else expect(findings[0]?.message).toContain('Known here: initial, terminal.')
  })

  test('WF-2, WF-2b: only meta, context and $schema are open', () => {
    const open = {
      $schema: 'https://statewright.ai/workflow-schema.json',
      ...sound,
      context: { anything: { deep: [1, null] } },
      meta: { owner: 'us', nested: { x: 1 }, debug: true },
    }
    expect(parseWorkflow(open)).toEqual({ definition: open, findings: [] })
  })

  test('WF-2: all findings are told, not only the first', () => {
    const definition = {
      ...sound,
      initial: 5,
      extra: 1,
      states: { a: { max_iterations: 0, allowed_tools: 'Read' }, b: { type: 'end' } },
    }
    expect(codesOf(definition).sort()).toEqual([
      'unknown_field extra',
      'wrong_type initial',
      'wrong_type states.a.allowed_tools',
      'wrong_value states.a.max_iterations',
      'wrong_value states.b.type',
    ])
  })

  test('WF-2: more findings than anybody reads are counted', () => {
    const states: Record<string, object> = { b: { type: 'final' } }
    for (let index = 0; index < 500; index++) states[`s${index}`] = { wrong: 1 }
    const { findings } = parseWorkflow({ ...sound, states: { ...states, a: {} } })
    expect(findings).toHaveLength(limits.findings + 1)
    expect(findings.at(-1)?.message).toBe('400 more findings are not shown. Fix these first.')
  })
})

describe('values', () => {
  test.each([
    ['a missing field', { id: 'x', states: sound.states }, 'missing_field initial'],
    ['a wrong type', { ...sound, states: [] }, 'wrong_type states'],
    ['a fraction', withState({ max_edit_lines: 1.5 }), 'wrong_type states.a.max_edit_lines'],
    ['a bound', withState({ max_files_per_state: 0 }), 'wrong_value states.a.max_files_per_state'],
    [
      'a minus',
      withState({ context_budget_bytes: -1 }),
      'wrong_value states.a.context_budget_bytes',
    ],
    ['an empty name', withState({ safe_next: '' }), 'wrong_value states.a.safe_next'],
    ['a known meta field', { ...sound, meta: { locked: 'yes' } }, 'wrong_type meta.locked'],
    [
      'an unknown mode',
      { ...sound, meta: { approval_mode: 'gui' } },
      'wrong_value meta.approval_mode',
    ],
    ['no definition', [], 'not_an_object '],
    ['a plain text', 'just words', 'not_an_object '],
  ])('WF-2, WF-3: %s', (_, definition, finding) => {
    expect(codesOf(definition)).toEqual([finding])
  })

  test('WF-2: a wrong value is told with what may stand there', () => {
    expect(messagesOf({ ...sound, meta: { danger_level: 'dangerus' } })).toEqual([
      '"danger_level" must be one of "safe", "moderate", "dangerous", not "dangerus". ' +
        'Did you mean "dangerous"?',
    ])
    expect(messagesOf(withState({ max_iterations: 0 }))).toEqual([
      '"max_iterations" must be at least 1, not 0.',
    ])
    expect(messagesOf(withState({ instructions: 3 }))).toEqual([
      '"instructions" must be text, not a number. Write it in quotes: "3".',
    ])
    expect(messagesOf({ ...sound, output: ['a', 1] })).toEqual([
      'Entry 2 of "output" must be text, not a number. Write it in quotes: "1".',
    ])
  })
})

describe('patterns of transitions', () => {
  test.each([
    [
      'target and invoke',
      { target: 'b', invoke: 'y', on_complete: 'b' },
      ['mixed_patterns target'],
    ],
    [
      'target and fork',
      { target: 'b', fork: { branches: {}, on_complete: 'b' } },
      ['mixed_patterns target'],
    ],
    [
      'fork and guard',
      { fork: { branches: {}, on_complete: 'b' }, guard: 'g' },
      ['mixed_patterns guard'],
    ],
    [
      'fork and on_fail',
      { fork: { branches: {}, on_complete: 'b' }, on_fail: 'b' },
      ['mixed_patterns on_fail'],
    ],
    [
      'invoke and approval',
      { invoke: 'y', on_complete: 'b', requires_approval: true },
      ['mixed_patterns requires_approval'],
    ],
    ['target and on_complete', { target: 'b', on_complete: 'b' }, ['mixed_patterns on_complete']],
    [
      'a mixture with a typo',
      { target: 'b', invoke: 'y', inputs: {} },
      ['mixed_patterns target', 'unknown_field inputs'],
    ],
    ['invoke without an end', { invoke: 'y' }, ['missing_field on_complete']],
    ['an invoke misspelt', { invok: 'y', on_complete: 'b' }, ['unknown_field invok']],
    ['nothing', {}, ['missing_field target']],
    ['a number', 3, ['wrong_type ']],
    ['null', null, ['wrong_type ']],
    ['an empty list', [], ['wrong_value ']],
    ['a list of names', ['b'], ['wrong_type 0']],
    ['a fork in a list', [{ fork: {} }], ['mixed_patterns 0.fork']],
    ['an empty target', '', ['wrong_value ']],
  ])('WF-3: %s', (_, transition, expected) => {
    const prefix = 'states.a.on.GO'
    expect(codesOf(withTransition(transition))).toEqual(
      expected.map((one) => {
        const [code, rest] = one.split(' ')
        return rest === '' ? `${code} ${prefix}` : `${code} ${prefix}.${rest}`
      }),
    )
  })

  test.each([
    ['a simple one', 'b'],
    ['a guarded one', { target: 'b', guard: 'g', guards: ['g'] }],
    [
      'candidates',
      [
        { target: 'b', guard: 'g' },
        { target: 'a', requires_approval: true },
      ],
    ],
    ['an invocation', { invoke: 'y', on_complete: 'b', on_fail: 'a', input: { k: [1] } }],
    ['a fork', { fork: { branches: { l: { initial: 'a', terminal: 'b' } }, on_complete: 'b' } }],
  ])('WF-2: %s parses', (_, transition) => {
    const definition = {
      ...withTransition(transition),
      guards: { g: { field: 'k', op: 'exists' } },
    }
    expect(parseWorkflow(definition)).toEqual({ definition, findings: [] })
  })

  test('WF-3: a guard reads a field or evidence, not both', () => {
    expect(codesOf({ ...sound, guards: { g: { evidence: 'e', field: 'f', op: 'eq' } } })).toEqual([
      'mixed_patterns guards.g.field',
    ])
    expect(codesOf({ ...sound, guards: { g: 'x' } })).toEqual(['wrong_type guards.g'])
    expect(codesOf({ ...sound, guards: { g: {} } })).toEqual([
      'missing_field guards.g.field',
      'missing_field guards.g.op',
    ])
  })
})

describe('fields of ours', () => {
  test('WF-4a: are optional, and parse in their places', () => {
    expect(parseWorkflow(full)).toEqual({ definition: full, findings: [] })
  })
})

describe('aliases', () => {
  test('WF-2: deny_env and env become the names they stand for', () => {
    const { definition } = parseWorkflow(withState({ deny_env: ['A'], env: { B: 'c' } }))
    expect(definition?.states.a).toEqual({ blocked_env: ['A'], env_overrides: { B: 'c' } })
  })

  test('WF-2: both spellings at once are an error', () => {
    const state = { deny_env: [], blocked_env: [], env: {}, env_overrides: {} }
    expect(codesOf(withState(state))).toEqual([
      'alias_twice states.a.deny_env',
      'alias_twice states.a.env',
    ])
  })
})

describe('bounds and safety', () => {
  test('WF-1: ten thousand states parse, one more is refused', () => {
    const states: Record<string, object> = { b: { type: 'final' } }
    for (let index = 1; index < limits.states; index++) states[`s${index}`] = {}
    expect(parseWorkflow({ ...sound, initial: 's1', states }).findings).toEqual([])
    states.more = {}
    expect(codesOf({ ...sound, initial: 's1', states })).toEqual(['too_many_states states'])
  })

  const many = (count: number, write: (index: number) => string) =>
    Array.from({ length: count }, (_, index) => write(index)).join()
  const fields = (count: number) => many(count, (index) => `"al${index}":1`)
  const moves = (count: number) => `"on":{${many(count, (index) => `"E${index}":{}`)}}`
  const candidates = (count: number) => `"on":{"GO":[${many(count, () => '1')}]}`
  const tools = (count: number) => `"allowed_tools":[${many(count, () => '1')}]`
  test.each([
    ['unknown fields', 70_000, 'unknown_field', fields],
    ['shapeless transitions', 20_000, 'missing_field', moves],
    ['shapeless candidates', 200_000, 'wrong_type', candidates],
    ['entries of a wrong kind', 300_000, 'too_large', tools],
  ])('WF-3: a megabyte of %s is answered in bounded time', (_, count, code, inside) => {
    const answer = (size: number) =>
      parseWorkflow(`{"id":"x","initial":"a","states":{"a":{${inside(size)}}}}`)
    expect(answer(count).findings[0]?.code).toBe(code)
    expect(growsLinearly(process, count, answer)).toBe(true)
  })

  test('WF-1: JSON, YAML and values give the same definition', () => {
    const yaml = 'id: x\ninitial: a\nstates:\n  a:\n    on:\n      GO: b\n  b:\n    type: final\n'
    const fromValue = parseWorkflow(sound)
    expect(parseWorkflow(yaml)).toEqual(fromValue)
    expect(parseWorkflow(JSON.stringify(sound))).toEqual(fromValue)
  })

  test('WF-3: whatever is handed in, parsing answers and never throws', () => {
    const noise = fc.oneof(
      fc.string(),
      fc.json(),
      fc.anything({ withBigInt: true, withDate: true }),
    )
    fc.assert(
      fc.property(noise, (input) => {
        const { definition, findings } = parseWorkflow(input)
        expect(definition === undefined).toBe(findings.some((one) => one.severity === 'error'))
      }),
      { numRuns: 500 },
    )
  })

  test('WF-3: whatever replaces or leaves any part of a full definition, parsing answers', () => {
    fc.assert(
      fc.property(fc.constantFrom(...pathsOf(full)), replacement, (path, value) => {
        const copy: Record<string, unknown> = structuredClone(full)
        let at: Record<string, unknown> = copy
        for (const name of path.slice(0, -1)) at = at[name] as Record<string, unknown>
        if (value === undefined) delete at[path.at(-1) ?? '']
        else at[path.at(-1) ?? ''] = value
        const { definition, findings } = parseWorkflow(copy)
        expect(definition === undefined).toBe(findings.some((one) => one.severity === 'error'))
        for (const one of findings) expect(one.message).toMatch(/[.?]$/)
      }),
      { numRuns: 2000 },
    )
  })
})
