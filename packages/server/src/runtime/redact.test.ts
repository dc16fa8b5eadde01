import { describe, expect, test } from 'vitest'
import { redacted, redactInput, redactText } from './redact.ts'

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

  test('hostile megabytes are looked through all the same', () => {
    for (const piece of ['token=', 'eyJa', '://a:', 'mysql ', 'secret', 'xoxb-', '--api-key ']) {
      const text = piece.repeat(1_000_000 / piece.length)
      expect(redactText(text).length).toBeGreaterThan(0)
    }
  })
})
