import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ServedSessions } from './served-sessions.ts'

const served = new ServedSessions()
beforeAll(() => served.open({ sandbox: 'auto' }))
afterAll(() => served.close())

const states = { open: { on: { DONE: 'end' } }, end: { type: 'final' } }

test.each(['.github/workflows/ci.yml', '.vscode/tasks.json', '.npmrc'])(
  'SE-10c: %s that a person let a call make stays, though a command ran at the same time',
  async (path) => {
    await served.ask('PUT', '/api/workflows/work', { id: 'work', initial: 'open', states })
    const [began, over] = [`began-${path.length}`, `over-${path.length}`]
    const command = `touch ${began}; until [ -e ${over} ]; do sleep 0.05; done; echo well`
    const batch = [
      { tool: 'bash', arguments: { command } },
      { tool: 'write_file', arguments: { path, content: '{}\n' } },
    ]
    const id = await served.start([batch, [{ text: 'Done.' }]], { workflow: 'work' })
    await served.say(id)
    await expect.poll(() => served.has(began), { timeout: 20_000 }).toBe(true)
    const { runId } = await served.session(id)
    const waiting = async () =>
      (await served.ask('GET', `/api/approvals?status=waiting&run=${runId}`)).body.approvals
    await expect.poll(async () => (await waiting()).length, { timeout: 20_000 }).toBe(1)
    const [{ approval_id: approval }] = await waiting()
    await served.ask('POST', `/api/approvals/${approval}/approve`, {})
    await expect.poll(() => served.has(path), { timeout: 20_000 }).toBe(true)
    served.file(over, '')
    await served.until(id, 'ready')
    const results = (await served.session(id)).conversation.filter(
      ({ role }: { role: string }) => role === 'tool',
    )
    expect(results.map(({ content }: { content: string }) => content)).toEqual([
      'well\n',
      expect.stringContaining(path),
    ])
    expect(readFileSync(join(served.project, path), 'utf8')).toBe('{}\n')
  },
)
