import { describeCall, type RunEvent } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { redactEvent, redacted, redactInput, redactText } from './redact.ts'
import { secretLines } from './secret-lines.test-kit.ts'

// Put together here, so that no scanner takes this file for a leak.
const word = 'Ab3dEf6hIj9kLm2nOp5qRs8t'
const secret = [
  `export AWS_SECRET_ACCESS_KEY=${word}/+x`,
  `psql postgres://shop:${word}@db.internal/shop`,
  `deploy --password=${word}`,
  `deploy --api-key ${word}`,
  `mysql -u root -p${word} shop`,
  `sshpass -p ${word} ssh host`,
  `curl -u ann:${word} https://example.test`,
  `curl -H "Authorization: Bearer ${word}" https://example.test`,
  `curl -H 'Cookie: session=${word}; theme=dark' https://example.test`,
  `stripe listen --key sk_live_${word}`,
  `git clone https://oauth2:glpat-${word}@example.test/x`,
  `SG.${word}.${word}`,
  `{"api_key":"${word}"}`,
  `{\\"api_key\\": \\"${word}\\"}`,
  `TOKEN=${'0f1e2d3c'.repeat(4)} ./run.sh`,
  `client_secret: ${word}`,
  `hf_${word}${word}`,
  `ASIA${'ABCDEFGH12345678'}`,
  `echo AKIA${'ABCDEFGH12345678'} ${word}${'AbCdEfGh1234/+xy'} | aws configure`,
]
const harmless = [
  'TOKEN=$(cat token.txt) ./run.sh',
  'export API_KEY="$API_KEY"',
  'const token = readToken()',
  'const token = config.token',
  'password: string',
  'max_tokens: 4096',
  'tokenizer: fast',
  'git clone https://example.test/team/shop.git',
  'http://127.0.0.1:4747/runs',
  'grep -rn "password" src',
  'npm run test -- --token-file x',
  'The cookie banner: ours is fine.',
  'mysql -u root -p shop',
  'curl -u ann https://example.test',
]

type ToolRequested = Extract<RunEvent, { type: 'tool_requested' }>

function request(command: string): ToolRequested {
  const call = describeCall({ id: 'c', tool: 'Bash', input: { command } }, { root: '/w' })
  const by = { kind: 'agent', id: 'a' } as const
  const approval = { approvalId: 'apr', approvalExpiresAt: 1 }
  return { type: 'tool_requested', at: 0, by, call, ...approval }
}

describe('secrets: what is kept of a text', () => {
  test.each(secret)('no secret: %s', (text) => {
    const kept = redactText(text)
    expect(kept).toContain(redacted)
    expect(kept).not.toContain(word)
    expect(kept).not.toContain('0f1e2d3c')
  })

  test.each(secret)('no secret in the kept input of a call: %s', (text) => {
    const kept = redactInput({ command: text.replaceAll(' ', '\n') })
    const alone = redactText(text.replaceAll(' ', '\n'))
    expect(JSON.parse(kept)).toEqual({ command: alone })
  })

  test.each(harmless)('everything else: %s', (text) => {
    expect(redactText(text)).toBe(text)
  })

  test('a field whose name says so, whatever it holds', () => {
    const input = { url: 'x', password: 'short', auth: { accessToken: 'a b', token_count: 3 } }
    expect(JSON.parse(redactInput(input))).toEqual({
      url: 'x',
      password: redacted,
      auth: { accessToken: redacted, token_count: 3 },
    })
  })

  test.each(secretLines)('nothing of what is well known: $line', ({ line, secret }) => {
    expect(redactText(line)).not.toContain(secret)
    expect(redactInput({ command: line })).not.toContain(secret)
    expect(JSON.stringify(redactEvent(request(line)))).not.toContain(secret)
  })

  test.each([
    ...['write', 'read', 'shell', 'program', 'option', 'file', 'redirect', 'mark.txt', 'touch'],
    'sh_unknown_program',
  ])('a password that is called %s changes nothing that decides', (word) => {
    const event = request(`sshpass -p ${word} ssh host; touch mark.txt; claude -p x; ./x > y`)
    const kept = redactEvent(event)
    const facts = ({ call: { shell } }: ToolRequested) => {
      const { command, whole, commands = [], unproven = [], ...rest } = shell ?? {}
      const kinds = commands.map(({ words, ...one }) => one)
      return { ...rest, kinds, unproven: unproven.map(({ message, word: about, ...one }) => one) }
    }
    expect(facts(kept)).toEqual(facts(event))
    expect(kept.call.shell?.commands[0]?.words).toContain(redacted)
  })

  test('hostile megabytes are looked through all the same', () => {
    const pieces = ['token=', 'eyJa', '://a:', 'mysql ', 'secret', 'xoxb-', '--api-key ']
    for (const piece of [...pieces, 'curl ', 'docker login ', 'redis-cli ', 'login a ', 're_a']) {
      const text = piece.repeat(1_000_000 / piece.length)
      expect(redactText(text).length).toBeGreaterThan(0)
    }
  })
})
