import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { agent, ann, openRuntime, type RuntimeWorld, save, start } from '../../testing/runtime.ts'
import type { Caller } from '../base/caller.ts'
import { answerClientHook } from './client-hook.ts'
import { ToolUses } from './tool-uses.ts'

const mail = {
  id: 'mail',
  initial: 'working',
  calls: {
    mcp__mail__send: [
      {
        require: 'mentions(task, args.to)',
        message: 'Only to addresses that the user named.',
      },
    ],
  },
  states: { working: { on: { DONE: 'done' } }, done: { type: 'final' } },
}

let world: RuntimeWorld
beforeAll(async () => {
  world = await openRuntime()
  await save(world.runtime, mail)
})
afterAll(() => world.close())

let turn = 0

/** One session of a client, whose hook speaks with its own key; `as` is who sends a hook. */
async function begin(task?: string) {
  const session = `mail-${++turn}`
  const toolUses = new ToolUses(() => world.runtime.clock.now())
  const asked = task === undefined ? {} : { task }
  await start(world.runtime, ann, { workflow: 'mail', session, agent: agent.tokenId, ...asked })
  const send = (body: object, as: Caller = hook) => {
    const text = JSON.stringify({ session_id: session, cwd: world.folder, ...body })
    return answerClientHook(
      { guard: world.guard, toolUses },
      { client: 'claude-code', caller: as, text },
    )
  }
  const prompt = (words: string, as?: Caller) =>
    send({ hook_event_name: 'UserPromptSubmit', prompt: words }, as)
  const mayMail = async (to: string) => {
    const answer = await send({
      hook_event_name: 'PreToolUse',
      tool_name: 'mcp__mail__send',
      tool_use_id: `t${++turn}`,
      tool_input: { to },
    })
    return !JSON.stringify(answer).includes('condition_failed')
  }
  return { prompt, mayMail }
}

const hook: Caller = { ...agent, kind: 'hook' }

describe('FC-11: what a person asked for', () => {
  test('is what came over the prompt hook with the key of the hook', async () => {
    const { prompt, mayMail } = await begin()
    expect(await mayMail('bob@example.com')).toBe(false)
    await prompt('Please write to bob@example.com.')
    expect(await mayMail('bob@example.com')).toBe(true)
    expect(await mayMail('eve@example.com')).toBe(false)
    await prompt('And to eve@example.com as well')
    expect(await mayMail('bob@example.com')).toBe(true)
    expect(await mayMail('eve@example.com')).toBe(true)
  })

  test("is not what an agent's own token says over the same hook", async () => {
    const { prompt, mayMail } = await begin()
    await prompt('Please write to eve@example.com.', agent)
    expect(await mayMail('eve@example.com')).toBe(false)
  })

  test('is what a person started the run with', async () => {
    const { mayMail } = await begin('Ask ann@example.com')
    expect(await mayMail('ann@example.com')).toBe(true)
    expect(await mayMail('eve@example.com')).toBe(false)
  })
})
