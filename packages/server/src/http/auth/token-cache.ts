import { randomUUID } from 'node:crypto'
import { BoundedMap } from '@statewright/core/internal'
import type { Verb } from '@statewright/core/wire'
import type { Clock } from '../../base/clock.ts'
import type { TokenKind, TokenRow, TokenStore } from '../../store/store.ts'
import { newSecret, newToken, type SecretUse, sameHash, secretHash } from './secrets.ts'

export interface MintRequest {
  readonly kind: TokenKind
  readonly name: string
  readonly role?: string
  readonly createdBy: string
  readonly expiresAt?: number
  /** The person whose login it is. */
  readonly person?: string
  /** For a service: what it may do that a person must prove to be there for. */
  readonly verbs?: readonly Verb[]
  /** For a hook: the token of the agent that it speaks for. */
  readonly pairOf?: string
  /** Its id behind the kind. One that is there gets a new secret and keeps its runs. */
  readonly id?: string
}

export interface Minted {
  readonly row: TokenRow
  /** Shown once; only its hash is kept. */
  readonly secret: string
}

/** A token that is kept in memory alone, for an agent that we started. */
export interface LentToken {
  readonly secret: string
  /** It counts no longer. */
  giveBack(): void
}

/** Whose agent it is, and the agent session that it was started for. */
export interface Lending {
  readonly tokenId: string
  readonly role: string
  readonly name: string
  readonly session: string
}

type LentRow = TokenRow & { readonly session: string }
export type FoundToken = TokenRow & { readonly session?: string }

interface CachedToken {
  readonly row: TokenRow
  readonly readAt: number
}

/** How long what was read is valid, even if somebody changes the store by hand. */
const freshMs = 1000
/** From then on it is read again in the background: a busy token never waits for the store. */
const renewMs = 500
const maxKnown = 10_000
const proofRole = 'proof'
const proofMs = 10 * 60_000

/** Tokens and browser sessions, with those in use kept at hand: a check costs no store read. */
export class TokenCache {
  readonly #store: TokenStore
  readonly #clock: Clock
  readonly #known = new BoundedMap<string, CachedToken>(maxKnown)
  readonly #renewing = new Set<string>()
  readonly #lent = new Map<string, LentRow>()
  /** Hashes by the names of keys. */
  readonly #hashes = new BoundedMap<string, string>(maxKnown)
  /** Counts revocations and renewals: what was read before one must not be kept after it. */
  #epoch = 0

  constructor(store: TokenStore, clock: Clock) {
    this.#store = store
    this.#clock = clock
  }

  /** The token behind a secret, if it still counts. */
  find(secret: string, use: SecretUse = 'bearer'): Promise<FoundToken | undefined> {
    return this.#findHash(secretHash(secret, use))
  }

  /** The token of a hook by the name of its key, which is the hash that is kept of it. */
  async findHookKey(keyId: string): Promise<FoundToken | undefined> {
    const known = this.#hashes.get(keyId) ?? (await this.#hashOf(keyId))
    if (known === undefined) return undefined
    const found = await this.#findHash(known)
    // Logins and proofs are kept by hashes as well; none of them is a key to sign with.
    if (found?.kind !== 'hook') {
      this.#hashes.delete(keyId)
      return undefined
    }
    this.#hashes.set(keyId, known)
    return found
  }

  /** The hash of any token that counts, by its beginning: what a server proves itself with. */
  async findKey(keyId: string): Promise<string | undefined> {
    const hash = await this.#hashOf(keyId)
    return hash === undefined ? undefined : (await this.#findHash(hash))?.hash
  }

  async #hashOf(keyId: string): Promise<string | undefined> {
    for (const hash of this.#lent.keys()) if (hash.startsWith(keyId)) return hash
    return (await this.#store.byHashStart(keyId))?.hash
  }

  async #findHash(hash: string): Promise<FoundToken | undefined> {
    const lent = this.#lent.get(hash)
    if (lent !== undefined) return lent
    const now = this.#clock.now()
    const known = this.#known.get(hash)
    // A clock that was set back must not keep a revoked token alive.
    const age = known === undefined ? freshMs : Math.abs(now - known.readAt)
    if (known === undefined || age >= freshMs) return counts(await this.#read(hash), hash, now)
    if (age >= renewMs) this.#renew(hash)
    return counts(known.row, hash, now)
  }

  async mint(request: MintRequest): Promise<Minted> {
    const secret = newToken(request.kind)
    return { row: await this.#add(request, secretHash(secret, 'bearer')), secret }
  }

  /** A token for an agent that we start: nothing on a disk makes it count, and it ends with it. */
  lend(kind: 'agent' | 'hook', { tokenId, role, name, session }: Lending): LentToken {
    const secret = newToken(kind)
    const hash = secretHash(secret, 'bearer')
    const createdAt = this.#clock.now()
    const life = { createdAt, createdBy: tokenId, expiresAt: null, revokedAt: null }
    const whose = { person: null, verbs: null, session }
    this.#lent.set(hash, { tokenId, kind, role, name, hash, ...life, ...whose })
    return { secret, giveBack: () => void this.#lent.delete(hash) }
  }

  /** A browser's session: a person's token that only a cookie can carry. */
  async mintSession(request: Omit<MintRequest, 'kind'>): Promise<Minted> {
    const secret = newSecret()
    return {
      row: await this.#add({ ...request, kind: 'person' }, secretHash(secret, 'cookie')),
      secret,
    }
  }

  /**
   * Says for ten minutes that the person of a login proved to be there. Only its hash is kept, and
   * no door takes it for a login. Of a provider's people it says what their roles let them do.
   */
  async mintProof(
    tokenId: string,
    verbs?: readonly Verb[],
  ): Promise<{ secret: string; expiresAt: number }> {
    const now = this.#clock.now()
    await this.#store.dropExpired(proofRole, now)
    const secret = newSecret()
    const expiresAt = now + proofMs
    const facts = { kind: 'person', role: proofRole, name: 'proof', createdBy: tokenId } as const
    const may = verbs === undefined ? {} : { verbs }
    await this.#add({ ...facts, ...may, expiresAt }, secretHash(secret, 'proof'))
    return { secret, expiresAt }
  }

  /** A proof that counts and was given to this login; it may be for some verbs alone. */
  async findProof(secret: string, tokenId: string): Promise<Pick<TokenRow, 'verbs'> | undefined> {
    const found = await this.find(secret, 'proof')
    return found?.createdBy === tokenId ? found : undefined
  }

  /** Ends a token; with an agent's goes the one of its hooks. */
  async revoke(tokenId: string): Promise<boolean> {
    const revoked = await this.#store.revoke(tokenId, this.#clock.now())
    const pair = hookIdOf(tokenId)
    if (pair !== undefined) await this.#store.revoke(pair, this.#clock.now())
    this.#forget(tokenId, pair)
    this.#takeBack(tokenId)
    return revoked
  }

  /** Another node may have revoked or renewed any of them. */
  forgetAll(): void {
    this.#epoch += 1
    this.#known.clear()
  }

  async list(): Promise<readonly TokenRow[]> {
    return (await this.#store.list()).filter(({ role }) => role !== proofRole)
  }

  async #add(request: MintRequest, hash: string): Promise<TokenRow> {
    const row: TokenRow = {
      tokenId: idFor(request),
      kind: request.kind,
      role: request.role ?? (request.kind === 'person' ? 'person' : 'agent'),
      name: request.name,
      hash,
      createdAt: this.#clock.now(),
      createdBy: request.createdBy,
      expiresAt: request.expiresAt ?? null,
      revokedAt: null,
      person: request.person ?? null,
      verbs: request.verbs ?? null,
    }
    const isNamed = request.id !== undefined || request.pairOf !== undefined
    if (isNamed && (await this.#store.renew(row))) this.#forget(row.tokenId)
    else await this.#store.add(row)
    return row
  }

  /**
   * With an agent's token go the keys that were lent to agents in its name. A person who logs out
   * has not ended the sessions that they started.
   */
  #takeBack(tokenId: string): void {
    if (!agentId.test(tokenId)) return
    for (const [hash, lent] of this.#lent) if (lent.tokenId === tokenId) this.#lent.delete(hash)
  }

  #forget(...tokenIds: readonly (string | undefined)[]): void {
    this.#epoch += 1
    for (const [hash, { row }] of this.#known) {
      if (tokenIds.includes(row.tokenId)) this.#known.delete(hash)
    }
  }

  async #read(hash: string): Promise<TokenRow | undefined> {
    const readAt = this.#clock.now()
    const epoch = this.#epoch
    const row = await this.#store.byHash(hash)
    this.#known.delete(hash)
    if (row === undefined || row.revokedAt !== null) return undefined
    if (epoch !== this.#epoch) return row
    this.#known.set(hash, { row, readAt })
    return row
  }

  #renew(hash: string): void {
    if (this.#renewing.has(hash)) return
    this.#renewing.add(hash)
    const done = () => this.#renewing.delete(hash)
    // A store that is away is told by the next read that must wait for it.
    this.#read(hash).then(done, done)
  }
}

function idFor({ kind, pairOf, id }: MintRequest): string {
  const pair = kind === 'hook' && pairOf !== undefined ? hookIdOf(pairOf) : undefined
  return pair ?? `${kind}_${id ?? randomUUID()}`
}

const agentId = /^agent_(.+)$/

/** The id of the token with which an agent's own hooks speak. */
function hookIdOf(tokenId: string): string | undefined {
  const name = agentId.exec(tokenId)?.[1]
  return name === undefined ? undefined : `hook_${name}`
}

/**
 * Whose runs and sessions a token has to do with. A client's hooks have a secret of their own,
 * which its agent is never given: what comes with it was seen by the client, not told by the agent.
 */
export function speaksFor({ kind, tokenId }: Pick<TokenRow, 'kind' | 'tokenId'>): string {
  return kind === 'hook' ? tokenId.replace(/^hook_/, 'agent_') : tokenId
}

function counts(row: TokenRow | undefined, hash: string, now: number): TokenRow | undefined {
  if (row === undefined || row.revokedAt !== null || !sameHash(row.hash, hash)) return undefined
  return row.expiresAt !== null && row.expiresAt <= now ? undefined : row
}
