import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  type MailServer,
  serviceKey,
  startMailServer,
} from '../packages/server/testing/peers/mail-service.ts'
import { firstLine, patience, Testbed } from '../packages/server/testing/testbed.ts'
import { acceptConfig } from './support/accept-config.ts'

const gate = {
  name: 'gate',
  initial: 'ask',
  states: {
    ask: {
      question: 'Sure?',
      answers: { yes: { next: null }, unsure: { next: null, action: 'notify_human' } },
    },
  },
  email_config: { max_emails_per_session: 1, allowed_to: ['*@example.com'] },
}

const testbed = new Testbed()
const heard: { signature: unknown; body: string }[] = []
const hook = createServer(async (request, response) => {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  const signature = request.headers['statewright-signature']
  heard.push({ signature, body: Buffer.concat(chunks).toString('utf8') })
  response.end()
})
const out = mkdtempSync(join(tmpdir(), 'statewright-told-'))
const reported = join(out, 'told')
const script = `require('node:fs').writeFileSync(process.argv[1], process.argv[2])`
let mail: MailServer
let url: string
let person: string
let talk = ''

beforeAll(async () => {
  mail = await startMailServer()
  await new Promise<void>((resolve) => hook.listen(0, '127.0.0.1', resolve))
  const { port } = hook.address() as AddressInfo // It listens on a port.
  writeFileSync(
    join(testbed.project, 'statewright.yaml'),
    [
      'mail:',
      `  resend: { key_env: TEST_MAIL_KEY, url: '${mail.url}' }`,
      'notify:',
      `  webhook: { url: 'http://127.0.0.1:${port}/', secret_env: STATEWRIGHT_HOOK_SECRET }`,
      `  command: ${JSON.stringify([process.execPath, '-e', script, reported])}`,
      '',
    ].join('\n'),
  )
  const child = testbed.start(['up', '--port', '0', '--json', '--test-person'], {
    TEST_MAIL_KEY: serviceKey,
    STATEWRIGHT_HOOK_SECRET: 'a secret',
  })
  child.stderr?.on('data', (chunk) => {
    talk += chunk
  })
  const ready = JSON.parse(await firstLine(child, () => talk))
  url = ready.url
  person = ready.person_token
  await acceptConfig(ready)
}, patience.timeout)

afterAll(async () => {
  testbed.close()
  hook.closeAllConnections()
  hook.close()
  await mail.close()
  rmSync(out, { recursive: true })
})

async function ask(method: string, path: string, token: string, body?: object) {
  const answer = await fetch(url.replace(/\/$/, '') + path, {
    method,
    headers: { authorization: `Bearer ${token}` },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  })
  return { status: answer.status, text: await answer.text() }
}

describe('a server that people and mail are configured for', () => {
  test(
    'PR-10, PR-12: sends what a run may send, and tells people of what waits',
    patience,
    async () => {
      const made = await ask('POST', '/api/tokens', person, { kind: 'agent', name: 'a' })
      const { token: agent } = JSON.parse(made.text)
      await ask('POST', '/api/processes', person, gate)
      const started = await ask('POST', '/api/runs', agent, { process: 'gate' })
      const run = JSON.parse(started.text).run_id
      const letter = { from: 'us@example.com', to: 'ann@example.com', subject: 's', text: 't' }
      expect((await ask('POST', '/proxy/resend/emails', agent, letter)).status).toBe(200)
      const over = await ask('POST', '/proxy/resend/emails', agent, letter)
      expect([over.status, JSON.parse(over.text).code]).toEqual([403, 'email_limit'])
      expect(mail.accepted.length).toBe(1)
      await ask('POST', `/api/runs/${run}/answer`, agent, { answer: 'unsure' })
      await vi.waitFor(() => expect(heard.length).toBe(1), { timeout: 30_000 })
      expect(heard[0]?.signature).toMatch(/^v1=[0-9a-f]{64}$/)
      expect(JSON.parse(heard[0]?.body ?? '')).toMatchObject({ run_id: run, workflow: 'gate' })
      await vi.waitFor(
        () => expect(readFileSync(reported, 'utf8')).toMatch(/^Waiting for you in gate/),
        {
          timeout: 30_000,
        },
      )
    },
  )

  test('PR-10, PR-12: shows no key or secret, and calls neither unknown', patience, async () => {
    const shown = await ask('GET', '/api/config', person)
    expect(shown.status).toBe(200)
    expect(shown.text).toContain('TEST_MAIL_KEY')
    for (const secret of [serviceKey, 'a secret']) {
      expect(shown.text).not.toContain(secret)
      expect(talk).not.toContain(secret)
    }
    expect(talk).not.toContain('STATEWRIGHT_HOOK_SECRET')
  })
})
