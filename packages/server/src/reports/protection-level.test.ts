import { describe, expect, test } from 'vitest'
import { protectionOf } from './protection-level.ts'

const settings = { sandbox: null, missingSandbox: null, strict: false } as const
const client = { client: 'gemini', hooks: 1, sessions: 1, lastAt: 0 }

describe('the level of protection', () => {
  test.each([
    [settings, 'L0'],
    [{ ...settings, strict: true }, 'L1'],
    [{ ...settings, sandbox: 'auto' }, 'L1'],
    [{ ...settings, sandbox: 'required' }, 'L1'],
    [{ ...settings, sandbox: 'off', strict: true }, 'L0'],
    [{ ...settings, sandbox: 'auto', missingSandbox: 'No bubblewrap.' }, 'L0'],
  ] as const)('with %j is %s', (given, level) => {
    expect(protectionOf(given, []).level).toBe(level)
  })

  test('SE-10: says that our own sessions have a sandbox, unless it is off', () => {
    const sentence = 'The commands of sessions run in a sandbox'
    expect(protectionOf(settings, []).sentence).toContain(sentence)
    expect(protectionOf({ ...settings, sandbox: 'off' }, []).sentence).not.toContain(sentence)
  })

  test('is L2 only when every client is known to be apart', () => {
    const apart = { ...client, isApart: true }
    expect(protectionOf(settings, [apart]).level).toBe('L2')
    expect(protectionOf(settings, [apart, { ...client, isApart: false }]).level).toBe('L0')
    expect(protectionOf(settings, [apart, { ...client, isApart: undefined }]).level).toBe('L0')
  })
})
