import type { AgentStateKind } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { ProblemNote } from '../../ui/problem-note.tsx'

/** Where a person speaks: while it is ready, or to lead on after an error. */
export function Composer(props: { readonly sessionId: string; readonly state: AgentStateKind }) {
  const { sessionId, state } = props
  const [text, setText] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isSending, setSending] = useState(false)
  if (state === 'stopped') return <p className="soft composer-note">The session has stopped.</p>
  const isTurn = state === 'ready' || state === 'error'
  const isSendable = isTurn && text.trim() !== '' && !isSending
  const send = async () => {
    if (!isSendable) return
    setSending(true)
    try {
      await call(endpoints.sendInput, { params: { id: sessionId }, body: { text } })
      // What was typed meanwhile is the next thing to say.
      setText((typed) => (typed === text ? '' : typed))
      setProblem(null)
    } catch (fault) {
      setProblem(problemOf(fault))
    }
    setSending(false)
  }
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    void send()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    void send()
  }
  return (
    <form className="composer" onSubmit={onSubmit}>
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="composer-row">
        <label className="field">
          <span className="visually-hidden">Say something</span>
          <textarea
            rows={2}
            value={text}
            placeholder={placeholders[state] ?? 'It works; you can write on when it is ready.'}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <button type="submit" className="button primary" disabled={!isSendable}>
          Send <kbd className="keys-hint">↵</kbd>
        </button>
      </div>
    </form>
  )
}

const placeholders: Readonly<Record<string, string>> = {
  ready: 'Say what it should do',
  error: 'Say how to go on, or retry what failed above',
  starting: 'It starts…',
  stopping: 'It stops…',
}
