import {
  type AgentView,
  type AgentViewItem,
  type LiveOutput,
  own,
} from '@statewright/core/internal'
import type { Session } from '@statewright/core/wire'
import { memo, useEffect, useMemo, useRef } from 'react'
import type { Retry } from '../../api/resources/sessions.ts'
import { chatLines, resultsOf } from '../../model/sessions/session-lines.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { CompactionNote } from './compaction-note.tsx'
import { LiveLines } from './live-output.tsx'
import { Markdown } from './markdown.tsx'
import { SystemPrompt } from './system-prompt.tsx'
import { HookLine, ToolLine } from './tool-line.tsx'
import { turnWords } from './turns.ts'

/** More of one text is not drawn; the conversation itself keeps it. */
const maxText = 200_000
const nearEnd = 80

/** What was said and done, as it comes. It stays at the end unless somebody reads further up. */
export function Chat(props: {
  readonly sessionId: string
  readonly view: AgentView
  readonly now: Session | undefined
}) {
  const { sessionId, view, now } = props
  // A session tells of its state first: before that, nothing is known of what was said.
  const isKnown = view.state !== 'idle' || now?.kind === 'idle'
  const frame = useRef<HTMLElement>(null)
  const isAtEnd = useRef(true)
  const results = useMemo(() => resultsOf(now?.conversation ?? []), [now?.conversation])
  const retries = new Map<string, Retry>(
    now !== undefined && view.state === now.kind
      ? runRetries(now).map((retry) => [retry.runId, retry])
      : [],
  )
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever is new may be at the end.
  useEffect(() => {
    const element = frame.current
    if (element !== null && isAtEnd.current) element.scrollTop = element.scrollHeight
  }, [view.items, view.live, results])
  // What waits for its turn stands above the field in which it was written.
  const lines = useMemo(() => chatLines(view.items), [view.items])
  return (
    <section
      ref={frame}
      className="panel chat"
      role="log"
      aria-label="Conversation"
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable.
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < nearEnd
      }}
    >
      <SystemPrompt text={now?.systemPrompt} />
      {lines.length === 0 ? (
        <p className="soft chat-empty">{isKnown ? emptyWords(view.state) : 'Reading…'}</p>
      ) : null}
      <ol>
        {lines.map(({ item, times }) => (
          <Item
            key={`${item.kind} ${item.id}`}
            sessionId={sessionId}
            item={item}
            times={times}
            result={item.kind === 'tool' ? results.get(item.id) : undefined}
            retry={retryOf(item, retries)}
            live={liveOf(item, view.live)}
          />
        ))}
      </ol>
    </section>
  )
}

function runRetries(now: Session | undefined): readonly Retry[] {
  return now?.retries.filter((one) => one.kind === 'tool' || one.kind === 'hook') ?? []
}

function retryOf(item: AgentViewItem, retries: ReadonlyMap<string, Retry>): Retry | undefined {
  if (item.kind === 'hook') return retries.get(item.id)
  return item.kind === 'tool' && item.runId !== undefined ? retries.get(item.runId) : undefined
}

function liveOf(item: AgentViewItem, live: AgentView['live']): LiveOutput | undefined {
  const runId = item.kind === 'tool' ? item.runId : item.kind === 'hook' ? item.id : undefined
  return runId === undefined ? undefined : own(live, runId)
}

const Item = memo(function Item(props: {
  readonly sessionId: string
  readonly item: AgentViewItem
  readonly times: number
  readonly result: string | undefined
  readonly retry: Retry | undefined
  readonly live: LiveOutput | undefined
}) {
  const { sessionId, item, times, result, retry, live } = props
  switch (item.kind) {
    case 'input':
      return (
        <li className="said by-person">
          <p className="said-who">You</p>
          <p className="foreign said-text">{plainText(item.text, maxText)}</p>
        </li>
      )
    case 'answer':
      return <Answer item={item} />
    case 'tool':
      return (
        <li className="did">
          <ToolLine sessionId={sessionId} item={item} result={result} retry={retry} />
          <LiveLines output={live} name={item.name} />
        </li>
      )
    case 'hook':
      return (
        <li className="did">
          <HookLine sessionId={sessionId} item={item} retry={retry} />
          <LiveLines output={live} name={item.name} />
        </li>
      )
    case 'error':
      return (
        <li className="note bad" role="note">
          {plainText(item.error.message, 2000)}{' '}
          <code className="soft small-text">{item.error.code}</code>
          {times === 1 ? null : <span className="soft small-text"> · {times} times</span>}
        </li>
      )
    case 'turn':
      return (
        <li className="turn-end soft small-text number">
          <time dateTime={new Date(item.endedAtMs).toISOString()} title={timeOf(item.endedAtMs)}>
            Turn took {turnWords(item)}
          </time>
        </li>
      )
    case 'compaction':
      return <CompactionNote item={item} />
    case 'status':
      return <li className="soft small-text foreign">{plainText(item.text, 500)}</li>
  }
})

function timeOf(atMs: number): string {
  return new Date(atMs).toLocaleString()
}

function emptyWords(state: AgentView['state']): string {
  if (state === 'stopped') return 'This conversation is empty.'
  return 'Write below what the agent should do; each of its calls is checked before it runs.'
}

function Answer({ item }: { readonly item: Extract<AgentViewItem, { kind: 'answer' }> }) {
  return (
    <li className="said" data-done={item.isDone}>
      <p className="said-who">Agent</p>
      {item.thinking === '' ? null : (
        <details className="thinking">
          <summary>Thinking</summary>
          <p className="foreign said-text">{plainText(item.thinking, maxText)}</p>
        </details>
      )}
      <Markdown text={item.text} max={maxText} />
    </li>
  )
}
