import type { AgentViewItem } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { problemOf } from '../../api/client/problem.ts'
import type { Retry } from '../../api/resources/sessions.ts'
import {
  denialSentence,
  inputGist,
  type ToolItem,
  toolOutcome,
} from '../../model/sessions/session-lines.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { Foreign, ForeignBlock } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'

/** A call with the decision on it; opened, what it asked for and what came of it. */
export function ToolLine(props: {
  readonly sessionId: string
  readonly item: ToolItem
  readonly result: string | undefined
  readonly retry: Retry | undefined
}) {
  const { sessionId, item, result, retry } = props
  const { tone, mark, word } = toolOutcome(item)
  const isDenied = word.startsWith('denied')
  const gist = inputGist(item.input)
  return (
    <div className={isDenied ? 'tool is-denied' : 'tool'} data-status={item.status}>
      <details>
        <summary className="tool-head">
          <span aria-hidden="true" className="tool-mark">
            <Mark name="tool" />
          </span>
          <strong className="tool-name">
            <Foreign text={item.name} max={80} />
          </strong>
          <code className="clip tool-gist">{gist}</code>
          <span className={`badge ${tone}`}>
            <Mark name={mark} />
            {plainText(word, 80)}
          </span>
          <Facts attempt={item.attempt} durationMs={item.durationMs} />
        </summary>
        <div className="stack tool-more">
          {item.input === undefined ? null : (
            <ForeignBlock value={item.input} label={`Arguments of ${plainText(item.name, 60)}`} />
          )}
          {(result ?? item.output) === undefined ? (
            <p className="soft small-text">No result yet.</p>
          ) : (
            <ForeignBlock
              value={result ?? item.output}
              label={`Result of ${plainText(item.name, 60)}`}
            />
          )}
        </div>
      </details>
      {isDenied && result !== undefined ? (
        <p className="small-text foreign tool-why">{plainText(denialSentence(result), 400)}</p>
      ) : null}
      {item.status === 'failed' && item.error !== undefined ? (
        <p className="small-text foreign tool-why bad">{plainText(item.error, 400)}</p>
      ) : null}
      {item.status === 'queued' ? (
        <p className="small-text soft tool-why">
          Checked before it runs; if it needs you, the question is shown below.
        </p>
      ) : null}
      {retry === undefined ? null : (
        <RetryButton sessionId={sessionId} retry={retry} name={item.name} />
      )}
    </div>
  )
}

export function HookLine(props: {
  readonly sessionId: string
  readonly item: Extract<AgentViewItem, { kind: 'hook' }>
  readonly retry: Retry | undefined
}) {
  const { sessionId, item, retry } = props
  const { tone, mark, word } = toolOutcome({ ...item, kind: 'tool' })
  return (
    <div className="tool">
      <div className="tool-head">
        <span aria-hidden="true" className="tool-mark">
          <Mark name="hook" />
        </span>
        <strong className="tool-name">
          hook <Foreign text={item.name} max={80} />
        </strong>
        <span className="tool-gist" />
        <span className={`badge ${tone}`}>
          <Mark name={mark} />
          {word}
          {item.exitCode === undefined ? null : `, exit ${item.exitCode}`}
        </span>
        <Facts attempt={item.attempt} durationMs={item.durationMs} />
      </div>
      {item.error === undefined ? null : (
        <p className="small-text foreign tool-why bad">{plainText(item.error, 600)}</p>
      )}
      {item.output === undefined ? null : (
        <details className="tool-more">
          <summary className="small-text">
            Output <code className="soft">{lastLine(item.output)}</code>
          </summary>
          <ForeignBlock value={item.output} label={`Output of hook ${plainText(item.name, 60)}`} />
        </details>
      )}
      {retry === undefined ? null : (
        <RetryButton sessionId={sessionId} retry={retry} name={item.name} />
      )}
    </div>
  )
}

/** What a program said last is what people look for first. */
function lastLine(output: string): string {
  return plainText(output.trimEnd().split('\n').at(-1) ?? '', 120)
}

function Facts(props: { readonly attempt: number; readonly durationMs: number | undefined }) {
  const { attempt, durationMs } = props
  return (
    <span className="soft small-text number tool-facts">
      {attempt > 1 ? `attempt ${attempt} ` : ''}
      {durationMs === undefined ? '' : `${durationMs.toLocaleString('en')} ms`}
    </span>
  )
}

function RetryButton(props: {
  readonly sessionId: string
  readonly retry: Retry
  readonly name: string
}) {
  const { sessionId, retry, name } = props
  const [isBusy, setBusy] = useState(false)
  const again = async () => {
    setBusy(true)
    try {
      const row = retry.kind === 'tool' ? endpoints.retryTool : endpoints.retryHook
      await call(row, { params: { id: sessionId, run: retry.runId } })
    } catch (fault) {
      toast('bad', 'Not retried', problemOf(fault).message)
    }
    setBusy(false)
  }
  return (
    <button
      type="button"
      className="button small tool-retry"
      disabled={isBusy}
      onClick={() => void again()}
    >
      <Mark name="retry" /> Retry {plainText(name, 40)}
    </button>
  )
}
