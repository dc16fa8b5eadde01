import type { AgentStateKind } from '@statewright/core/internal'
import type { MarkName } from '../../model/words/marks.ts'
import { Mark } from '../../ui/values/mark.tsx'

interface Look {
  readonly tone: 'good' | 'bad' | 'wait' | 'accent' | 'plain'
  /** Colour is never the only sign. */
  readonly mark: MarkName
  readonly word: string
}

const looks: Readonly<Record<AgentStateKind, Look>> = {
  idle: { tone: 'plain', mark: 'open', word: 'idle' },
  starting: { tone: 'accent', mark: 'busy', word: 'starting' },
  ready: { tone: 'good', mark: 'done', word: 'ready' },
  calling_llm: { tone: 'accent', mark: 'running', word: 'model answers' },
  processing_response: { tone: 'accent', mark: 'running', word: 'reads the answer' },
  executing_tools: { tone: 'accent', mark: 'tool', word: 'tools run' },
  post_tools_hook: { tone: 'accent', mark: 'hook', word: 'hooks run' },
  error: { tone: 'bad', mark: 'no', word: 'error' },
  stopping: { tone: 'wait', mark: 'waiting', word: 'stopping' },
  stopped: { tone: 'plain', mark: 'stopped', word: 'stopped' },
}

export function SessionBadge({ kind }: { readonly kind: AgentStateKind }) {
  const { tone, mark, word } = looks[kind]
  return (
    <span className={`badge ${tone}`} data-kind={kind}>
      <Mark name={mark} />
      {word}
    </span>
  )
}
