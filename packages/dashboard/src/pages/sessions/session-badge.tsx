import type { AgentStateKind } from '@statewright/core/internal'

interface Look {
  readonly tone: 'good' | 'bad' | 'wait' | 'accent' | 'plain'
  /** Colour is never the only sign. */
  readonly mark: string
  readonly word: string
}

const looks: Readonly<Record<AgentStateKind, Look>> = {
  idle: { tone: 'plain', mark: '○', word: 'idle' },
  starting: { tone: 'accent', mark: '…', word: 'starting' },
  ready: { tone: 'good', mark: '✓', word: 'ready' },
  calling_llm: { tone: 'accent', mark: '▶', word: 'model answers' },
  processing_response: { tone: 'accent', mark: '▶', word: 'reads the answer' },
  executing_tools: { tone: 'accent', mark: '⚒', word: 'tools run' },
  post_tools_hook: { tone: 'accent', mark: '↪', word: 'hooks run' },
  error: { tone: 'bad', mark: '✕', word: 'error' },
  stopping: { tone: 'wait', mark: '◷', word: 'stopping' },
  stopped: { tone: 'plain', mark: '■', word: 'stopped' },
}

export function SessionBadge({ kind }: { readonly kind: AgentStateKind }) {
  const { tone, mark, word } = looks[kind]
  return (
    <span className={`badge ${tone}`} data-kind={kind}>
      <span aria-hidden="true">{mark}</span>
      {word}
    </span>
  )
}
