import { endpoints, type Session } from '@statewright/core/wire'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { Left } from '../../ui/values/when.tsx'

const words = { llm: 'Ask the model again', harness: 'Start the harness again' } as const

/** What stopped the session, and what a person can do about it; tools and hooks have their own. */
export function FailureNote({ session }: { readonly session: Session }) {
  const { sessionId, lastError, retries, retryAtMs } = session
  const [isBusy, setBusy] = useState(false)
  const retry = retries.find((one) => one.kind === 'llm' || one.kind === 'harness')
  if (lastError === null || (retry === undefined && retryAtMs === null)) return null
  const again = async () => {
    setBusy(true)
    try {
      await call(endpoints.retrySession, { params: { id: sessionId } })
    } catch (fault) {
      toast('bad', 'Not retried', problemOf(fault).message)
    }
    setBusy(false)
  }
  return (
    <section className="note bad row spread" aria-label="What failed">
      <span className="failure-words">
        <span className="foreign">{plainText(lastError.message, 600)}</span>{' '}
        <code className="soft small-text">{lastError.code}</code>
        {retryAtMs === null ? null : (
          <span className="soft small-text">
            {' '}
            · tries again by itself, <Left until={retryAtMs} />
          </span>
        )}
      </span>
      {retry === undefined ? null : (
        <button type="button" className="button" disabled={isBusy} onClick={() => void again()}>
          <Mark name="retry" /> {words[retry.kind === 'harness' ? 'harness' : 'llm']}
        </button>
      )}
    </section>
  )
}
