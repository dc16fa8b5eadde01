import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { keyIdOf, signingKey } from '../../clients/server-key.ts'
import { openSqliteStore } from '../../store/sqlite/open-sqlite-store.ts'
import type { Store, TokenStore } from '../../store/store.ts'
import { TokenCache } from './token-cache.ts'

const folder = mkdtempSync(join(tmpdir(), 'statewright-tokens-'))
let store: Store
let now = 1_800_000_000_000
const clock = { now: () => now, newId: (prefix: string) => `${prefix}_x` }

beforeAll(async () => {
  store = await openSqliteStore({ folder })
})

afterAll(async () => {
  await store.close()
  rmSync(folder, { recursive: true })
})

/** The real tokens, with the reads counted. */
function counted(): { tokens: TokenStore; reads: () => number } {
  let reads = 0
  const { tokens } = store
  return {
    reads: () => reads,
    tokens: {
      add: (row) => tokens.add(row),
      renew: (row) => tokens.renew(row),
      list: () => tokens.list(),
      revoke: (id, at) => tokens.revoke(id, at),
      dropExpired: (role, before) => tokens.dropExpired(role, before),
      byHashStart: (start) => {
        reads += 1
        return tokens.byHashStart(start)
      },
      byHash: (hash) => {
        reads += 1
        return tokens.byHash(hash)
      },
    },
  }
}

describe('the cache of tokens', () => {
  test('looks a token up once, not at each check', async () => {
    const { tokens, reads } = counted()
    const cache = new TokenCache(tokens, clock)
    const { secret, row } = await cache.mint({ kind: 'hook', name: 'h', createdBy: 'test' })
    for (let time = 0; time < 100; time++) {
      expect((await cache.find(secret))?.tokenId).toBe(row.tokenId)
    }
    expect(reads()).toBe(1)
  })

  test('SH-20: the key of a hook is known by its name, until it counts no longer', async () => {
    const { tokens, reads } = counted()
    const cache = new TokenCache(tokens, clock)
    const idOf = (secret: string) => keyIdOf(signingKey(secret))
    const { secret, row } = await cache.mint({ kind: 'hook', name: 'h', createdBy: 'test' })
    for (let time = 0; time < 100; time++) {
      expect((await cache.findHookKey(idOf(secret)))?.tokenId).toBe(row.tokenId)
    }
    expect(reads()).toBe(2)
    await cache.revoke(row.tokenId)
    expect(await cache.findHookKey(idOf(secret))).toBe(undefined)
    const whose = { tokenId: 'person_ann', role: 'agent', name: 'a', session: 'sess_1' }
    const lent = cache.lend('hook', whose)
    expect((await cache.findHookKey(idOf(lent.secret)))?.session).toBe('sess_1')
    lent.giveBack()
    expect(await cache.findHookKey(idOf(lent.secret))).toBe(undefined)
  })

  test('SH-20: nothing but the token of a hook is a key to sign with', async () => {
    const cache = new TokenCache(store.tokens, clock)
    const whose = { name: 'n', createdBy: 'test' }
    const session = await cache.mintSession(whose)
    const agent = await cache.mint({ ...whose, kind: 'agent' })
    const person = await cache.mint({ ...whose, kind: 'person' })
    const lent = cache.lend('agent', { tokenId: 'x', role: 'agent', name: 'a', session: 's' })
    for (const hash of [session.row.hash, agent.row.hash, person.row.hash, signingKey(lent.secret)])
      expect(await cache.findHookKey(keyIdOf(hash))).toBe(undefined)
    expect(await cache.findHookKey('0'.repeat(16))).toBe(undefined)
  })

  test('SE-12: keys that were lent in the name of an agent end with its token', async () => {
    const cache = new TokenCache(store.tokens, clock)
    const { row } = await cache.mint({ kind: 'agent', name: 'lender', createdBy: 'test' })
    const whose = { role: 'agent', name: 'a', session: 'sess_1' }
    const lent = cache.lend('hook', { ...whose, tokenId: row.tokenId })
    const persons = cache.lend('hook', { ...whose, tokenId: 'person_ann' })
    await cache.revoke(row.tokenId)
    expect(await cache.find(lent.secret)).toBe(undefined)
    // Who logs out has not ended the sessions that they started.
    await cache.revoke('person_ann')
    expect(await cache.find(persons.secret)).toBeDefined()
  })

  test('sees what another node revoked within a second, and its own at once', async () => {
    const [here, there] = [new TokenCache(store.tokens, clock), new TokenCache(store.tokens, clock)]
    const { secret, row } = await here.mint({ kind: 'agent', name: 'a', createdBy: 'test' })
    expect(await here.find(secret)).toBeDefined()
    expect(await there.find(secret)).toBeDefined()
    await there.revoke(row.tokenId)
    expect(await there.find(secret)).toBe(undefined)
    now += 1000
    expect(await here.find(secret)).toBe(undefined)
  })

  test('does not let a clock that was set back keep a token alive', async () => {
    const [here, there] = [new TokenCache(store.tokens, clock), new TokenCache(store.tokens, clock)]
    const { secret, row } = await here.mint({ kind: 'agent', name: 'a', createdBy: 'test' })
    expect(await here.find(secret)).toBeDefined()
    await there.revoke(row.tokenId)
    now -= 60_000
    expect(await here.find(secret)).toBe(undefined)
  })

  test('does not keep what it read before a revocation', async () => {
    const cache = new TokenCache(store.tokens, clock)
    const { secret, row } = await cache.mint({ kind: 'agent', name: 'a', createdBy: 'test' })
    await Promise.all([cache.find(secret), cache.revoke(row.tokenId), cache.find(secret)])
    expect(await cache.find(secret)).toBe(undefined)
  })
})
