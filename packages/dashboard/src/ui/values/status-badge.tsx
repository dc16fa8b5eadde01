import type { RunStatus } from '@statewright/core/internal'
import type { MarkName } from '../../model/words/marks.ts'
import { Mark } from './mark.tsx'

interface Look {
  readonly tone: 'good' | 'bad' | 'wait' | 'accent' | 'plain'
  /** Colour is never the only sign. */
  readonly mark: MarkName
}

const looks: Readonly<Record<RunStatus, Look>> = {
  running: { tone: 'accent', mark: 'running' },
  waiting: { tone: 'wait', mark: 'waiting' },
  paused: { tone: 'plain', mark: 'paused' },
  completed: { tone: 'good', mark: 'done' },
  failed: { tone: 'bad', mark: 'no' },
  blocked: { tone: 'bad', mark: 'blocked' },
  stopped: { tone: 'plain', mark: 'stopped' },
}

export function StatusBadge({ status }: { readonly status: RunStatus }) {
  const { tone, mark } = looks[status]
  return (
    <span className={`badge ${tone}`}>
      <Mark name={mark} />
      {status}
    </span>
  )
}

/** Paused by its own agent: it looks held, and nothing is. */
export function UnguardedBadge() {
  return (
    <span
      className="badge bad"
      title="Its agent paused it. Nothing is enforced until it is resumed."
    >
      <Mark name="danger" />
      unguarded
    </span>
  )
}

const dangers: Readonly<Record<string, Look>> = {
  safe: { tone: 'good', mark: 'open' },
  moderate: { tone: 'wait', mark: 'care' },
  dangerous: { tone: 'bad', mark: 'danger' },
}

/** The author's word on what a workflow can break; none is no promise. */
export function DangerBadge({ level }: { readonly level: unknown }) {
  const word = typeof level === 'string' ? level : ''
  const look = Object.hasOwn(dangers, word) ? dangers[word] : undefined
  if (look === undefined) return <span className="badge">risk not stated</span>
  return (
    <span className={`badge ${look.tone}`}>
      <Mark name={look.mark} />
      {word}
    </span>
  )
}
