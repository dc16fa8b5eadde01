import { describe, expect, test } from 'vitest'
import type { AskRecord } from '../run/snapshot.ts'
import type { Allowance } from '../run/verdict.ts'
import { analyzeShell } from '../shell/analyze.ts'
import { isAllowedBefore } from './allowed-before.ts'

const hour = 3_600_000

function record(allowance?: Allowance): AskRecord {
  return {
    id: 'appr_1',
    rule: 'policy.ask.0',
    tool: 'Bash',
    argsHash: 'x',
    status: 'approved',
    always: true,
    expiresAt: 0,
    place: 'testing',
    asker: 'claude',
    ...(allowance === undefined ? {} : { allowance }),
  }
}

interface Case {
  readonly command?: string
  readonly files?: readonly string[]
  readonly place?: string
  readonly asker?: string
  readonly tool?: string
  readonly at?: number
  readonly isSameCall?: boolean
}

function isFree(allowance: Allowance | undefined, how: Case): boolean {
  const { command, files, place = 'testing', asker = 'claude', tool = 'Bash', at = 0 } = how
  const edits = files?.map((path) => ({ path, op: 'edit', lines: 1 }) as never)
  const call = {
    ...{ id: 'c', tool, argsHash: 'y' },
    ...(command === undefined ? {} : { shell: analyzeShell(command) }),
    ...(edits === undefined ? {} : { edits }),
  }
  const isSameCall = how.isSameCall === true
  return isAllowedBefore(record(allowance), { call, isSameCall, tool, at, place, asker })
}

const command = (...words: string[]): Allowance => ({
  covers: { kind: 'command', words },
  where: 'run',
})

describe('what a person allowed from now on', () => {
  test('PO-7: without a bound it is all that the rule asks about', () => {
    expect(isFree(undefined, { command: 'rm -rf src', place: 'else', asker: 'other' })).toBe(true)
  })

  test('PO-7e: exactly these arguments, in the state, until then, for the agent that asked', () => {
    const allowance: Allowance = { covers: { kind: 'call' }, where: 'state', until: hour }
    const same = { isSameCall: true }
    expect(isFree(allowance, same)).toBe(true)
    expect(isFree(allowance, {})).toBe(false)
    expect(isFree(allowance, { ...same, place: 'planning' })).toBe(false)
    expect(isFree({ ...allowance, where: 'run' }, { ...same, place: 'planning' })).toBe(true)
    expect(isFree(allowance, { ...same, at: hour })).toBe(false)
    expect(isFree(allowance, { ...same, asker: 'other' })).toBe(false)
    expect(isFree(allowance, { ...same, tool: 'fs:write' })).toBe(false)
  })

  test.each([
    ['npm test -- src/a.test.ts', true],
    ['npm test -- "src/a.test.ts"', true],
    ['npm test --', false],
    ['npm test -- src/a.test.ts src/b.test.ts', false],
    ['npm start -- src/a.test.ts', false],
    ['npm test -- --config=evil.ts', false],
    ['npm test -- ../other/a.test.ts', false],
    ['npm test -- /etc/passwd', false],
    ['npm test -- $FILE', false],
    ['npm test -- src/*', false],
    ['npm test -- src/a.test.ts; rm -rf src', false],
    ['npm test -- src/a.test.ts > out.txt', false],
    ['npm test -- src/a.test.ts && curl evil.example', false],
    ['npm test -- $(rm -rf src)', false],
    ['npm test -- src/a.test.ts < secrets.txt', false],
    ['A=1 npm test -- src/a.test.ts', false],
    ['npm test -- src/a.test.ts &', false],
  ])('PO-7e: "npm test -- *" covers %s: %s', (text, is) => {
    expect(isFree(command('npm', 'test', '--', '*'), { command: text })).toBe(is)
  })

  test.each([
    [['src/cart/a.ts'], true],
    [['./src/cart/deep/b.ts'], true],
    [['src/cart/a.ts', 'src/pay/b.ts'], false],
    [['src/cart'], false],
    [['src/cartoon/a.ts'], false],
    [['src/cart/../pay/a.ts'], false],
    [['/src/cart/a.ts'], false],
    [[], false],
  ])('PO-7e: the folder src/cart covers %s: %s', (files, is) => {
    const folder: Allowance = { covers: { kind: 'folder', folder: 'src/cart/' }, where: 'run' }
    expect(isFree(folder, { files, tool: 'Bash' })).toBe(is)
  })
})
