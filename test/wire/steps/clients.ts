import { endpoints } from '@statewright/core/wire'
import { expect } from 'vitest'
import { signedHeader } from '../../support/signed-answer.ts'
import type { Walk } from '../walk.ts'
import { workflow } from './runs.ts'

/** Its commands run through us. */
const shelled = {
  ...workflow,
  id: 'walk-shell',
  states: { ...workflow.states, plan: { on: workflow.states.plan.on, env_overrides: { A: 'b' } } },
}

export function reading(id: string) {
  return { tool_name: 'Read', tool_use_id: id, tool_input: { file_path: '/x' } }
}

/** A coding client whose session has a run. */
export async function startClient(walk: Walk, definition: object = workflow) {
  const made = { kind: 'agent', name: 'client', role: 'agent', with_hook: true } as const
  const { hook_token: key = '' } = await walk.call(endpoints.createToken, { body: made })
  const session = crypto.randomUUID()
  const body = { definition, session, workspace: walk.workspace }
  const { run_id: run } = await walk.as('person').call(endpoints.startRun, { body })
  const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
  const hook = async (facts: object): Promise<string> => {
    const reported = { session_id: session, cwd: walk.workspace, ...facts }
    const sent = { method: 'POST', headers, body: JSON.stringify(reported) }
    return (await walk.fetch('/hooks/claude-code', 'hook', sent)).text()
  }
  return { run, session, hook, key }
}

/** A command with a ticket, as `exec` runs it. */
export async function clientSteps(walk: Walk): Promise<void> {
  const { run, session, hook, key } = await startClient(walk, shelled)
  const request = { tool_name: 'Bash', tool_use_id: 'shell', tool_input: { command: './check' } }
  const answer = await hook({ hook_event_name: 'PreToolUse', ...request })
  const ticket = /exec\.cjs\S* \S+ ([\w-]{20,})/.exec(answer)?.[1] ?? ''
  expect(answer).toContain('updatedInput')
  const signed = async (path: string, secret: string, sent: object) => {
    const body = JSON.stringify(sent)
    const authorization = signedHeader(secret, path, body)
    const headers = { authorization, 'content-type': 'application/json' }
    return walk.fetch(path, 'hook', { method: 'POST', headers, body })
  }
  const line = await signed('/hooks/claude-code/status', key, { session })
  expect(await walk.look(endpoints.statusLine, line)).toMatchObject({ text: expect.any(String) })
  const { startExec, finishExec } = endpoints
  const plan = await walk.look(startExec, await signed(startExec.path, ticket, {}))
  const facts = { exit: 0, bytes: 0, output_hash: '0'.repeat(64), duration_ms: 1 }
  await walk.look(finishExec, await signed(finishExec.path, plan.report, facts))
  await walk.as('person').call(endpoints.stopRun, { params: { id: run }, body: {} })
}
