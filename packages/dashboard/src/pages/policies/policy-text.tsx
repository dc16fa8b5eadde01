import type { Finding } from '@statewright/core/internal'
import { isJsonObject } from '@statewright/core/internal'
import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useEffect, useRef } from 'react'
import { schemaQuery } from '../../api/resources/definitions.ts'
import type { EditorCallbacks } from '../editor/code-editor.tsx'

const CodeEditor = lazy(async () => ({
  default: (await import('../editor/code-editor.tsx')).CodeEditor,
}))

/** A policy as text, with findings at their lines and offers from the schema. */
export function PolicyText(props: {
  readonly text: string
  readonly findings: readonly Finding[]
  readonly onChange: (text: string) => void
}) {
  const { text, findings, onChange } = props
  const box = useRef<HTMLDivElement>(null)
  const callbacks = useRef<EditorCallbacks | null>(null)
  const schema = usePolicySchema()
  useEffect(() => {
    const { current } = box
    // Escape leaves the text or its offers; it must not close the dialog around it with the text.
    const stay = (event: KeyboardEvent) => {
      if (event.key === 'Escape') event.stopPropagation()
    }
    current?.addEventListener('keydown', stay)
    return () => current?.removeEventListener('keydown', stay)
  }, [])
  return (
    <div className="field">
      <span aria-hidden="true">Policy, as YAML or JSON</span>
      <div ref={box} className="policy-text">
        <Suspense fallback={<p className="soft">Loading…</p>}>
          <CodeEditor
            {...{ text, findings, schema, callbacks, onChange }}
            label="Policy, as YAML or JSON"
            onCursor={() => undefined}
            onSave={() => box.current?.closest('form')?.requestSubmit()}
          />
        </Suspense>
      </div>
      <span className="soft small-text">
        <kbd>Esc</kbd> and then <kbd>Tab</kbd> leaves the text
      </span>
    </div>
  )
}

/** A workflow may carry a policy: its schema says what one looks like. */
function usePolicySchema(): unknown {
  const schema = useQuery(schemaQuery('workflow')).data
  const fields = isJsonObject(schema) ? schema.properties : undefined
  return isJsonObject(fields) ? fields.policy : undefined
}
