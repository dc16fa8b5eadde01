import { err, isJsonObject, ok, type Result } from '@statewright/core'
import type { RunRef } from '../../runtime/find-run.ts'
import { problem, type RuntimeProblem } from '../../runtime/problem.ts'
import { activeRows, type ToolCaller } from '../callers-run.ts'

/** Beside a call to a fronted tool, whose own arguments are not ours to add to. */
export const runMetaKey = 'statewright/run'

/** Where calls without a session belong: to the configuration a token's are one session. */
const tokensSession = 'mcp'

/**
 * The run that judges a call to a fronted tool: the one it names, else its session's, else the only
 * one its token has. Between two it is never guessed.
 */
export async function placeCall(
  from: ToolCaller,
  meta: unknown,
): Promise<Result<RunRef, RuntimeProblem>> {
  const named = isJsonObject(meta) ? meta[runMetaKey] : undefined
  if (typeof named === 'string') return ok({ run: named })
  if (named !== undefined) {
    return err(problem('usage', `"${runMetaKey}" is the id of a run.`, { where: '_meta' }))
  }
  if (from.session !== undefined) return ok({ session: from.session })
  const only = await from.parts.sessions.onlyRunOf(from.caller.tokenId)
  if (only !== undefined) return ok({ run: only })
  const rows = await activeRows(from)
  const [first, second] = rows
  if (first === undefined) return ok({ session: tokensSession })
  if (second === undefined) return ok({ run: first.runId })
  const known = rows.map((row) => `${row.runId} (${row.workflow})`).join(', ')
  const message = 'Several runs are active, and the call does not say which one it means.'
  return err(
    problem('usage', message, {
      where: '_meta',
      next: `name one as "${runMetaKey}" in _meta, or connect with a session: ${known}.`,
    }),
  )
}
