import { createHash, randomBytes } from 'node:crypto'
import { createRequire } from 'node:module'
import { describe, expect, test } from 'vitest'
import { signingKey } from '../../clients/server-key.ts'
import { isSigned, readSignature, SeenRequests, signAnswer } from './hook-signature.ts'

const require = createRequire(import.meta.url)
// As it is written there.
const hookSide = require('../../../bin/project-key.cjs') as {
  sha256(bytes: Buffer): string
  signRequest(
    token: string,
    about: readonly string[],
    body: Buffer,
  ): { header: string; isAnswer(text: string, mac: string | undefined): boolean }
}

const token = 'sw_hook_secret'
const signedRequest = {
  path: '/hooks/x',
  process: '1',
  gateway: 'a,b',
  home: '%2Fhome',
  text: '{"a":"Größe"}',
}

function signed() {
  const about = [
    signedRequest.path,
    signedRequest.process,
    signedRequest.gateway,
    signedRequest.home,
  ]
  const { header, isAnswer } = hookSide.signRequest(token, about, Buffer.from(signedRequest.text))
  const signature = readSignature(header)
  if (signature === undefined) throw new Error(header)
  return { signature, isAnswer }
}

describe('SH-20: signatures of hooks', () => {
  test('both sides make the same of them', () => {
    const { signature, isAnswer } = signed()
    expect(isSigned(signingKey(token), signature, signedRequest)).toBe(true)
    const answer = '{"b":"ß"}'
    expect(isAnswer(answer, signAnswer(signingKey(token), signature, answer))).toBe(true)
    expect(isAnswer('{}', signAnswer(signingKey(token), signature, answer))).toBe(false)
    expect(isAnswer('{}', undefined)).toBe(false)
  })

  test.each(['path', 'process', 'gateway', 'home', 'text'] as const)(
    'another %s is not signed',
    (name) => {
      const { signature } = signed()
      expect(isSigned(signingKey(token), signature, { ...signedRequest, [name]: 'x' })).toBe(false)
    },
  )

  test('a home that was left out on the way is not signed, one that was never told is', () => {
    const { signature } = signed()
    expect(isSigned(signingKey(token), signature, { ...signedRequest, home: undefined })).toBe(
      false,
    )
    const { path, process, gateway, text } = signedRequest
    const older = hookSide.signRequest(token, [path, process, gateway], Buffer.from(text))
    const read = readSignature(older.header)
    if (read === undefined) throw new Error(older.header)
    expect(isSigned(signingKey(token), read, { path, process, gateway, text })).toBe(true)
  })

  test('another time, nonce or key is not signed', () => {
    const { signature } = signed()
    const time = String(Number(signature.time) + 1)
    const nonce = '0'.repeat(32)
    expect(isSigned(signingKey(token), { ...signature, time }, signedRequest)).toBe(false)
    expect(isSigned(signingKey(token), { ...signature, nonce }, signedRequest)).toBe(false)
    expect(isSigned(signingKey('sw_hook_other'), signature, signedRequest)).toBe(false)
  })

  test('no two requests are alike', () => {
    expect(signed().signature.nonce).not.toBe(signed().signature.nonce)
  })

  test('our own SHA-256 is SHA-256', () => {
    for (let bytes = 0; bytes < 300; bytes++) {
      const text = randomBytes(bytes)
      expect(hookSide.sha256(text)).toBe(createHash('sha256').update(text).digest('hex'))
    }
  })
})

describe('SH-20: requests that were seen', () => {
  let now = 1_800_000_000_000
  const clock = { now: () => now, newId: (prefix: string) => `${prefix}_x` }
  const at = (time: number, nonce: string) => ({
    keyId: '',
    mac: '',
    time: String(time),
    nonce,
  })

  test('each is taken once', () => {
    const seen = new SeenRequests(clock)
    expect(seen.refuse(at(now, 'a'))).toBe(undefined)
    expect(seen.refuse(at(now, 'a'))).toBe('replayed')
    expect(seen.refuse(at(now, 'b'))).toBe(undefined)
  })

  test('one that is older than a minute, or than the server, is not taken', () => {
    const seen = new SeenRequests(clock)
    expect(seen.refuse(at(now - 61_000, 'a'))).toBe('wrong_time')
    expect(seen.refuse(at(now + 61_000, 'b'))).toBe('wrong_time')
    expect(seen.refuse(at(now + 59_000, 'c'))).toBe(undefined)
    // This server has just begun: what was made half a minute ago, another one has seen.
    expect(seen.refuse(at(now - 30_000, 'd'))).toBe('wrong_time')
  })

  test('a clock that was set back shuts nobody out', () => {
    const seen = new SeenRequests(clock)
    now -= 3_600_000
    expect(seen.refuse(at(now, 'a'))).toBe(undefined)
  })
})
