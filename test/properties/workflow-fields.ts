import fc from 'fast-check'
import { choice, pick } from './pick.ts'

/** Parts of a workflow that stand for themselves: guards, evidence, policies, limits. */

export const fieldNames = ['x', 'y', 'z', 'x.y', 'toString', 'w1', 'w1.x', 'branches.left.x']

/** Values that guards compare and agents send, harmless and hostile ones. */
export const plainValues = [
  0,
  1,
  2.5,
  -1,
  true,
  false,
  null,
  '',
  'on',
  '2026-01-31',
  '2026-01-31T10:00:00Z',
  '2026-02-30',
  [1, 'on', null],
  [],
  { y: 1 },
  { y: { constructor: 'on' } },
] as const

const ordered = [0, 1, 2.5, '2026-01-31', '2026-01-31T12:00:00+02:00'] as const
const operators = [
  'eq',
  'neq',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'contains',
  'exists',
  'not_exists',
] as const

export const guardNames = ['g0', 'g1', 'toString', 'proved', 'reported']
export const evidenceNames = ['tests', 'valueOf']

const fieldGuard = fc.record({ field: choice, op: choice, value: choice }).map((by) => {
  const op = pick(operators, by.op)
  const isOrder = op === 'gt' || op === 'gte' || op === 'lt' || op === 'lte'
  const value = isOrder ? pick(ordered, by.value) : pick(plainValues, by.value)
  return {
    field: pick(fieldNames, by.field),
    op,
    ...(op === 'in' ? { value: [value, 'on', 1] } : {}),
    ...(op === 'in' || op === 'exists' || op === 'not_exists' ? {} : { value }),
  }
})

export const guards = fc.tuple(fieldGuard, fieldGuard, fieldGuard).map(([g0, g1, g2]) => ({
  g0,
  g1,
  toString: g2,
  proved: { evidence: 'tests' },
  reported: { evidence: 'valueOf' },
}))

export const evidence = fc.record({ stale: choice, defined: choice, trust: choice }).map((by) => ({
  tests: {
    tool: 'Bash',
    command: 'npm test',
    ...(by.stale % 2 === 0 ? { stale_after: ['src/**'] } : {}),
    ...(by.defined % 3 === 0 ? { defined_by: ['package.json'] } : {}),
  },
  valueOf: {
    tool: pick(['Read', 'Edit', 'mcp__fs__read'], by.trust),
    exit: pick(['success', 'failure'], by.stale),
    trust: pick(['observed', 'reported'], by.trust),
    stale_after: ['**/*.md'],
  },
}))

const capabilities = ['bash', 'edit', 'write', 'read', 'mcp:fs:*', 'mcp:fs:read', 'webfetch']

const rule = fc.record({ capability: choice, limit: choice }).map((by) => ({
  capability: pick(capabilities, by.capability),
  ...(by.limit % 3 === 1 ? { rate_limit: { max_calls: 2, window_seconds: 60 } } : {}),
  ...(by.limit % 5 === 2 ? { budget_limit: { max_usd: 1, period: 'daily' } } : {}),
}))

export const policy = fc
  .record({
    allow: fc.array(rule, { maxLength: 2 }),
    ask: fc.array(rule, { maxLength: 2 }),
    deny: fc.array(choice, { maxLength: 1 }),
    default: choice,
  })
  .map((by) => ({
    allow: by.allow,
    ask: by.ask,
    deny: by.deny.map((one) => ({ capability: pick(capabilities, one) })),
    ...(by.default % 6 === 5 ? { default: 'deny' } : {}),
  }))

const everyday = ['Read', 'Edit', 'Write', 'Bash', 'Grep', 'mcp__fs__*']
const toolLists: readonly (readonly string[] | undefined)[] = [
  undefined,
  everyday,
  everyday,
  undefined,
  everyday,
  ['Read', 'Edit', 'Write', 'Bash'],
  ['Edit', 'Write'],
  undefined,
  ['Edit', 'Bash', 'Read'],
  ['Read', 'Bash'],
  ['Read', 'Grep'],
  [],
  ['Bash(git log *)', 'Read'],
  ['mcp__fs__*', 'Edit'],
  ['mcp__fs__read', 'Agent'],
  ['*'],
]

export const limits = fc
  .record({ tools: choice, iterations: choice, files: choice, shell: choice })
  .map((by) => ({
    ...optional('allowed_tools', pick(toolLists, by.tools)),
    ...optional('max_iterations', pick([undefined, 2, 3, 4, undefined], by.iterations)),
    ...optional('max_files_per_state', pick([undefined, undefined, 1, 2], by.files)),
    ...optional('max_edit_lines', pick([undefined, 10, undefined], by.files)),
    ...optional('context_budget_bytes', pick([undefined, undefined, 100], by.iterations)),
    ...optional('allowed_commands', pick([undefined, undefined, ['npm test', 'git']], by.shell)),
    ...optional('deny_env', pick([undefined, undefined, ['SECRET']], by.shell)),
    ...optional('background', pick([undefined, true, undefined], by.tools)),
  }))

export const context = fc
  .array(fc.tuple(choice, choice), { maxLength: 4 })
  .map((pairs) =>
    Object.fromEntries(
      pairs.map(([key, value]) => [pick(['x', 'y', 'z', 'x.y'], key), pick(plainValues, value)]),
    ),
  )

export const meta = fc.record({ mode: choice, debug: fc.boolean() }).map((by) => ({
  approval_mode: pick(['ui', 'none'], by.mode),
  debug: by.debug,
}))

function optional<Value>(key: string, value: Value | undefined): Record<string, Value> {
  return value === undefined ? {} : { [key]: value }
}
