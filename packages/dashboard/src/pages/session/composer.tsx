import type { AgentStateKind } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { type FormEvent, type KeyboardEvent, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { isTurnOpen } from './turns.ts'

type When = 'queue' | 'interrupt'

/** Where a person speaks. While the session works, they choose: it waits, or it ends the turn. */
export function Composer(props: { readonly sessionId: string; readonly state: AgentStateKind }) {
  const { sessionId, state } = props
  const [text, setText] = useState('')
  const { problem, isBusy, attempt } = useAttempt()
  const isWorking = isTurnOpen(state)
  const isSendable = state !== 'stopping' && state !== 'idle' && text.trim() !== '' && !isBusy
  const params = { id: sessionId }
  const send = (when: When) =>
    attempt(async () => {
      await call(endpoints.sendInput, { params, body: { text, ...(isWorking ? { when } : {}) } })
      // What was typed meanwhile is the next thing to say.
      setText((typed) => (typed === text ? '' : typed))
    })
  const onSubmit = (event: FormEvent) => {
    event.preventDefault()
    if (isSendable) void send('queue')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (isSendable) void send(event.ctrlKey || event.metaKey ? 'interrupt' : 'queue')
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
            placeholder={placeholders[state] ?? ''}
            onChange={(event) => setText(event.target.value)}
            onKeyDown={onKeyDown}
          />
        </label>
        <div className="composer-buttons">
          <button type="submit" className="button primary" disabled={!isSendable}>
            {isWorking || state === 'starting' ? 'Queue' : 'Send'}
            <kbd className="keys-hint">↵</kbd>
          </button>
          {isWorking ? (
            <InterruptButton
              hasWords={text.trim() !== ''}
              isBusy={isBusy}
              onSend={() => void send('interrupt')}
              onEnd={() => void attempt(() => call(endpoints.interruptSession, { params }))}
            />
          ) : null}
        </div>
      </div>
    </form>
  )
}

/** Ends the turn and keeps the session; with words it is what the model reads next. */
function InterruptButton(props: {
  readonly hasWords: boolean
  readonly isBusy: boolean
  readonly onSend: () => void
  readonly onEnd: () => void
}) {
  const { hasWords, isBusy, onSend, onEnd } = props
  return (
    <button
      type="button"
      className="button danger"
      disabled={isBusy}
      onClick={hasWords ? onSend : onEnd}
    >
      {hasWords ? 'Interrupt and send' : 'End the turn'}
      {hasWords ? <kbd className="keys-hint">Ctrl ↵</kbd> : null}
    </button>
  )
}

/** Where nothing can be said until somebody resumes it. */
export function ResumeBar(props: { readonly sessionId: string; readonly onResumed: () => void }) {
  const { problem, isBusy, attempt } = useAttempt()
  const resume = async () => {
    await call(endpoints.resumeSession, { params: { id: props.sessionId } })
    props.onResumed()
  }
  return (
    <div className="stack">
      {problem === null ? null : <ProblemNote problem={problem} />}
      <div className="row composer-note">
        <span className="soft">The session has stopped.</span>
        <button
          type="button"
          className="button primary"
          disabled={isBusy}
          onClick={() => void attempt(resume)}
        >
          Resume
        </button>
      </div>
    </div>
  )
}

/** One thing at a time; what went wrong stays until the next attempt. */
function useAttempt() {
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [isBusy, setBusy] = useState(false)
  const attempt = async (act: () => Promise<unknown>) => {
    setBusy(true)
    try {
      await act()
      setProblem(null)
    } catch (fault) {
      setProblem(problemOf(fault))
    }
    setBusy(false)
  }
  return { problem, isBusy, attempt }
}

const working = 'The agent is working. Queue a message, or interrupt it'

const placeholders: Readonly<Record<AgentStateKind, string>> = {
  idle: 'The agent is starting…',
  starting: 'The agent is starting; queued messages are read first',
  ready: 'Say what the agent should do',
  calling_llm: working,
  processing_response: working,
  executing_tools: working,
  post_tools_hook: working,
  error: 'Say how to go on, or retry what failed',
  stopping: 'The agent is stopping…',
  stopped: '',
}
