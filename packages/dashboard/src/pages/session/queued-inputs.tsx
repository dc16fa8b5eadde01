import type { AgentViewItem } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count } from '../../model/words/words.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'

type Input = Extract<AgentViewItem, { kind: 'input' }>

/** What was said and waits for the end of the turn, in the order in which it will be read. */
export function QueuedInputs(props: {
  readonly sessionId: string
  readonly inputs: readonly Input[]
  readonly isWorking: boolean
}) {
  const { sessionId, inputs, isWorking } = props
  if (inputs.length === 0) return null
  return (
    <section className="queue" aria-label="Queued">
      <p className="soft small-text">
        {count(inputs.length, 'message')}{' '}
        {isWorking ? 'for after this turn' : 'waiting until you go on'}
      </p>
      <ol className="stack">
        {inputs.map((input) => (
          <QueuedInput key={input.id} sessionId={sessionId} input={input} />
        ))}
      </ol>
    </section>
  )
}

function QueuedInput(props: { readonly sessionId: string; readonly input: Input }) {
  const { sessionId, input } = props
  const [isBusy, setBusy] = useState(false)
  const takeBack = async () => {
    setBusy(true)
    try {
      await call(endpoints.withdrawInput, { params: { id: sessionId, message: input.id } })
    } catch (fault) {
      toast('bad', 'Not taken back', problemOf(fault).message)
      setBusy(false)
    }
  }
  return (
    <li className="queued">
      <span className="foreign queued-text">{plainText(input.text, 2000)}</span>
      <button
        type="button"
        className="button small"
        disabled={isBusy}
        onClick={() => void takeBack()}
      >
        Take back
      </button>
    </li>
  )
}
