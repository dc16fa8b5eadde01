import { toToken } from '../rows.ts'
import type { TokenRow, TokenStore } from '../store.ts'
import type { TypedQueries } from './typed-queries.ts'

export function tokenQueries(db: TypedQueries): TokenStore {
  return {
    async add(token) {
      const values = { token_id: token.tokenId, ...columnsOf(token) }
      await db.insertInto('tokens').values(values).execute()
    },

    async renew(token) {
      const result = await db
        .updateTable('tokens')
        .set(columnsOf(token))
        .where('token_id', '=', token.tokenId)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async byHash(hash) {
      const row = await db
        .selectFrom('tokens')
        .selectAll()
        .where('hash', '=', hash)
        .executeTakeFirst()
      return row && toToken(row)
    },

    byHashStart: (start) => byHashStart(db, start),

    async list() {
      const rows = await db.selectFrom('tokens').selectAll().orderBy('place').execute()
      return rows.map(toToken)
    },

    /** The first revocation stands. */
    async revoke(tokenId, at) {
      const result = await db
        .updateTable('tokens')
        .set({ revoked_at: at })
        .where('token_id', '=', tokenId)
        .where('revoked_at', 'is', null)
        .executeTakeFirst()
      return result.numUpdatedRows > 0n
    },

    async dropExpired(role, before) {
      await db
        .deleteFrom('tokens')
        .where('role', '=', role)
        .where('expires_at', '<', before)
        .execute()
    },
  }
}

/** By the first digits of its hash, as lists show it; undefined where two begin so. */
async function byHashStart(db: TypedQueries, start: string): Promise<TokenRow | undefined> {
  const rows = await db
    .selectFrom('tokens')
    .selectAll()
    .where('hash', '>=', start)
    // Behind every digit that can follow.
    .where('hash', '<', `${start}g`)
    .limit(2)
    .execute()
  const [row] = rows
  return row === undefined || rows.length > 1 ? undefined : toToken(row)
}

function columnsOf(token: TokenRow) {
  return {
    kind: token.kind,
    role: token.role,
    name: token.name,
    hash: token.hash,
    created_at: token.createdAt,
    created_by: token.createdBy,
    expires_at: token.expiresAt,
    revoked_at: token.revokedAt,
    person: token.person,
    verbs: token.verbs === null ? null : JSON.stringify(token.verbs),
  }
}
