import type { RunStatus } from '@statewright/core/internal'

interface Look {
  readonly tone: 'good' | 'bad' | 'wait' | 'accent' | 'plain'
  /** Colour is never the only sign. */
  readonly mark: string
}

const looks: Readonly<Record<RunStatus, Look>> = {
  running: { tone: 'accent', mark: '▶' },
  waiting: { tone: 'wait', mark: '◷' },
  paused: { tone: 'plain', mark: '❙❙' },
  completed: { tone: 'good', mark: '✓' },
  failed: { tone: 'bad', mark: '✕' },
  blocked: { tone: 'bad', mark: '⊘' },
  stopped: { tone: 'plain', mark: '■' },
}

export function StatusBadge({ status }: { readonly status: RunStatus }) {
  const { tone, mark } = looks[status]
  return (
    <span className={`badge ${tone}`}>
      <span aria-hidden="true">{mark}</span>
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
      ▲ unguarded
    </span>
  )
}

const dangers: Readonly<Record<string, Look>> = {
  safe: { tone: 'good', mark: '○' },
  moderate: { tone: 'wait', mark: '△' },
  dangerous: { tone: 'bad', mark: '▲' },
}

/** The author's word on what a workflow can break; none is no promise. */
export function DangerBadge({ level }: { readonly level: unknown }) {
  const word = typeof level === 'string' ? level : ''
  const look = Object.hasOwn(dangers, word) ? dangers[word] : undefined
  if (look === undefined) return <span className="badge">risk not stated</span>
  return (
    <span className={`badge ${look.tone}`}>
      <span aria-hidden="true">{look.mark}</span>
      {word}
    </span>
  )
}
