import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCall } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { defaultSettings, type RuntimeSettings } from '../../runtime/settings.ts'
import { workspaceFacts } from '../workspace-facts.ts'
import { protectSelf } from './self-protection.ts'

const home = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-searched-')))
const data = join(home, '.local/state/statewright')
const settings: RuntimeSettings = { ...defaultSettings, home, protectedPaths: [data] }

beforeAll(() => {
  for (const path of [data, join(home, 'src')]) mkdirSync(path, { recursive: true })
  writeFileSync(join(data, 'logins.json'), 'secret')
})
afterAll(() => rmSync(home, { recursive: true }))

/** What is said of a call in a workspace that holds our data, or of a caller without a folder. */
function judge(tool: string, input: object, root = home): string {
  const call = describeCall({ id: 'c', tool, input }, workspaceFacts(settings, root))
  const answers = protectSelf(settings, { input, call, root, ownPorts: new Set() })
  return answers.map(({ kind }) => kind).join() || 'allow'
}

describe('SE-10b: a search in a workspace that holds our data', () => {
  test.each([
    ['grep -rn expires src', 'allow'],
    ['grep -rn "expires" src | head -20', 'allow'],
    ['grep -rn expires', 'deny'],
    ['grep -rn expires .', 'deny'],
    ['grep -r -m 5 expires', 'deny'],
    ['grep -rm 5 expires', 'deny'],
    ['grep -r -e expires src', 'deny'],
    ['grep -rn expires src .local', 'deny'],
    ['grep -rn expires $HOME', 'deny'],
    ['grep -rn expires "$where"', 'deny'],
    ['cd .local && grep -rn expires state', 'deny'],
  ])('%s: %s', (command, answer) => {
    expect(judge('Bash', { command })).toBe(answer)
  })

  test('by the tool of a client, without a path and with one', () => {
    expect(judge('Grep', { pattern: 'expires' })).toBe('deny')
    expect(judge('Grep', { pattern: 'expires', path: 'src' })).toBe('allow')
  })

  test('of a caller who names no folder is no search of the whole disk', () => {
    expect(judge('Grep', { pattern: 'expires' }, '/')).toBe('allow')
    expect(judge('Bash', { command: 'grep -rn expires src' }, '/')).toBe('allow')
    expect(judge('Grep', { pattern: 'expires', path: home }, '/')).toBe('deny')
    expect(judge('Bash', { command: `grep -rn expires ${home}` }, '/')).toBe('deny')
  })
})
