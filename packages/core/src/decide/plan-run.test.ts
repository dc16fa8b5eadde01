import { describe, expect, test } from 'vitest'
import { type Play, play, rows } from '../reduce/play.test-kit.ts'
import { asItIs, type RunnerFacts, type RunPlan } from '../run/run-plan.ts'

const runners: Readonly<Record<string, RunnerFacts>> = {
  us: { name: 'statewright', environment: true, sandbox: 'can', sandboxDefault: 'auto' },
  bare: { name: 'statewright', environment: true, sandbox: 'missing', sandboxDefault: 'auto' },
  client: { name: 'codex', environment: false, sandbox: 'cannot', sandboxDefault: 'off' },
}

function planOf({ last }: Play): RunPlan {
  if (last.answer.type !== 'decided') throw new Error('not decided')
  return last.answer.decision.plan
}

function begin(state: object, workflow: object = {}) {
  const one = { allowed_tools: ['Read', 'Bash'], on: { NEXT: 'two' }, ...state }
  return play({ id: 'w', initial: 'one', states: { one, two: { type: 'final' } }, ...workflow })
}

describe('a shell call and who would run it', () => {
  const table = rows<'rule' | 'state' | 'runner' | 'answer' | 'sandbox'>(`
    rule   state                     runner  answer                sandbox
    SH-14  {}                        us      allow                 read_only
    SH-14  {}                        bare    allow                 none
    SH-14  {}                        client  allow                 none
    SH-14  {"sandbox":"off"}         us      allow                 none
    SH-14  {"sandbox":"auto"}        client  allow                 none
    SH-14  {"sandbox":"required"}    us      allow                 read_only
    SH-14  {"sandbox":"required"}    bare    sandbox_required      none
    SH-14  {"sandbox":"required"}    client  sandbox_required      none
    SH-12  {"env_overrides":{"A":"b"}}  us      allow                 read_only
    SH-12  {"env_overrides":{"A":"b"}}  client  environment_required  none
    SH-12  {"blocked_env":["A"]}     client  allow                 none
  `)
  test.each(table)('$rule: $state run by $runner is $answer', ({ state, runner, ...row }) => {
    const run = begin(JSON.parse(state))
    const more = { runner: runners[runner] ?? never() }
    expect(run.bash('ls', { more })).toBe(row.answer)
    expect(planOf(run).sandbox ?? 'none').toBe(row.sandbox)
  })
})

function never(): never {
  throw new Error('no such runner')
}

describe('a command that nobody knows', () => {
  const table = rows<'rule' | 'tools' | 'runner' | 'command' | 'answer' | 'contain'>(`
    rule   tools           runner  command            answer             contain
    SH-6   Read,Bash       us      npm_test           allow              shell
    SH-6   Read,Bash       bare    npm_test           ask                none
    SH-6   Read,Bash       client  npm_test           ask                none
    SH-6   Read,Bash       us      git_status         allow              none
    SH-6   Read,Bash       client  git_status         allow              none
    SH-6   Read,Edit,Bash  client  npm_test           allow              none
    SH-10  Read            us      npm_test           allow              files
    SH-10  Read            client  npm_test           tool_not_allowed   none
    SH-10  Read            client  git_status         allow              none
    SH-10  Read            us      curl_example.com   tool_not_allowed   none
    SH-10  Read            us      printenv           tool_not_allowed   none
  `)
  test.each(table)('$rule: $command with $tools, run by $runner, is $answer', (row) => {
    const run = begin({ allowed_tools: row.tools.split(',') })
    const more = { runner: runners[row.runner] ?? never() }
    const command = row.command.replaceAll('_', ' ')
    expect(run.bash(command, { more, readsByShell: true })).toBe(row.answer)
    expect(planOf(run).contain ?? 'none').toBe(row.contain)
  })

  test('SH-6: the question is about this very command, and "always" frees no other', () => {
    const run = begin({})
    const more = { runner: runners.client ?? never() }
    run.bash('npm test', { more, argsHash: 'a'.repeat(64) })
    run.bash('npm run x', { more, argsHash: 'b'.repeat(64) })
    const rules = run.run.asks.map(({ rule }) => rule)
    expect(rules).toEqual([`unproven:${'a'.repeat(16)}`, `unproven:${'b'.repeat(16)}`])
  })

  test('SH-9: inline code is denied where a blocked variable stays in its environment', () => {
    const held = { blocked_env: ['KEY'], allowed_tools: ['Edit', 'Bash'] }
    const inline = `python3 -c 'print(1)'`
    expect(begin(held).bash(inline, { more: { runner: runners.client ?? never() } })).toBe(
      'env_blocked',
    )
    expect(begin(held).bash(inline, { more: { runner: runners.us ?? never() } })).toBe('allow')
  })
})

describe('how a call may run', () => {
  const us = { more: { runner: runners.us ?? never() } }

  test('SH-14: the workspace is writable where the state may write', () => {
    const run = begin({ allowed_tools: ['Edit', 'Bash'] })
    run.bash('ls', us)
    expect(planOf(run)).toMatchObject({ visit: 1, sandbox: 'writable' })
  })

  test('SH-14: the state counts before the workflow, and that before the configuration', () => {
    const off = begin({ sandbox: 'off' }, { sandbox: 'required' })
    off.bash('ls', us)
    expect(planOf(off).sandbox).toBe(null)
    const required = begin({}, { sandbox: 'required' })
    expect(required.bash('ls', { more: { runner: runners.client ?? never() } })).toBe(
      'sandbox_required',
    )
  })

  test('SH-12: blocked and set variables are part of it', () => {
    const run = begin({ blocked_env: ['KEY'], env_overrides: { MODE: 'dry' }, sandbox: 'off' })
    run.bash('ls', us)
    expect(planOf(run)).toEqual({
      visit: 1,
      blockedEnv: ['KEY'],
      envOverrides: { MODE: 'dry' },
      sandbox: null,
    })
  })

  test('SH-15: a repeated call hears the same plan again', () => {
    const run = begin({ sandbox: 'required' })
    run.bash('ls', { ...us, id: 'same' })
    const first = planOf(run)
    run.bash('ls', { ...us, id: 'same' })
    expect(planOf(run)).toEqual(first)
  })

  test('SH-14: an edit starts no command, so nothing has to hold it', () => {
    const run = begin({ allowed_tools: ['Edit'], sandbox: 'required', env_overrides: { A: 'b' } })
    expect(run.edit('a.ts')).toBe('allow')
    expect(planOf(run)).toEqual(asItIs)
  })

  test('WF-27: a paused run holds nothing', () => {
    const run = begin({ sandbox: 'required' })
    run.pause()
    expect(run.bash('ls', { more: { runner: runners.client ?? never() } })).toBe('allow')
    expect(planOf(run)).toEqual(asItIs)
  })

  test('SH-14: where nobody says who runs it, the plan is what the state demands', () => {
    const run = begin({ sandbox: 'required' })
    expect(run.bash('ls')).toBe('allow')
    expect(planOf(run).sandbox).toBe('read_only')
  })
})
