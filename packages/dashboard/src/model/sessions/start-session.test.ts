import { describe, expect, test } from 'vitest'
import { emptyForm, startRequest } from './start-session.ts'

const form = { ...emptyForm, workspace: ' /shop ' }

describe('the form for a session', () => {
  test('SE-12: asks each harness for what it needs', () => {
    expect(startRequest(emptyForm)).toEqual({ missing: 'Which folder does it work in?' })
    expect(startRequest(form)).toEqual({
      harness: 'claude-code',
      projectPath: '/shop',
      options: {},
    })
    const scripted = { ...form, harness: 'scripted' }
    expect(startRequest(scripted)).toEqual({ missing: 'Which script does it play?' })
    expect(startRequest({ ...scripted, script: 'a.yaml' })).toEqual({
      harness: 'scripted',
      projectPath: '/shop',
      options: { script: 'a.yaml' },
    })
    const model = { ...form, harness: 'model', model: 'openai/x', address: 'http://127.0.0.1/v1' }
    expect(startRequest(model)).toMatchObject({
      options: { model: 'openai/x', base_url: 'http://127.0.0.1/v1' },
    })
    expect(startRequest({ ...form, harness: 'acp' })).toMatchObject({
      options: { agent: 'claude' },
    })
    const own = { ...form, harness: 'acp', agent: '' }
    expect(startRequest(own)).toEqual({ missing: 'Which command starts the agent?' })
    expect(startRequest({ ...own, command: 'my-agent  --acp' })).toMatchObject({
      options: { command: ['my-agent', '--acp'] },
    })
  })

  test('SE-11: names the workflow or process that judges, whatever its name holds', () => {
    const scripted = { ...form, script: 'a.yaml' }
    expect(startRequest({ ...scripted, rules: 'workflow:a:b' })).toMatchObject({ workflow: 'a:b' })
    expect(startRequest({ ...scripted, rules: 'process:p1' })).toMatchObject({ process: 'p1' })
  })
})
