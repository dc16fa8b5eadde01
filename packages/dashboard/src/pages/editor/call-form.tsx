import { type FormEvent, useState } from 'react'
import { readResultText } from '../../model/simulator/play.ts'
import type { TriedCall } from '../../model/simulator/simulation.ts'

const firstInputs: Readonly<Record<string, string>> = {
  Bash: '{ "command": "npm test" }',
  Read: '{ "file_path": "src/a.ts" }',
  Edit: '{ "file_path": "src/a.ts", "old_string": "a", "new_string": "b" }',
  Write: '{ "file_path": "src/a.ts", "content": "…" }',
  Grep: '{ "pattern": "todo" }',
  WebFetch: '{ "url": "https://example.com" }',
}

/** Tries a tool call. For the shell a command is enough; anything else takes its arguments. */
export function CallForm(props: {
  readonly onTry: (tried: TriedCall) => void
  /** Whether something of the definition reads what a call answers with. */
  readonly readsResults: boolean
}) {
  const { onTry, readsResults } = props
  const [tool, setTool] = useState('Bash')
  const [command, setCommand] = useState('npm test')
  const [input, setInput] = useState('')
  const [doesWork, setDoesWork] = useState(true)
  const [answer, setAnswer] = useState('')
  const isShell = tool === 'Bash'
  const written = input === '' ? (firstInputs[tool] ?? '{}') : input
  const value = isShell ? { command } : parsed(written)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (value !== undefined) {
      const result = readsResults ? readResultText(answer) : undefined
      const exit = doesWork ? 'success' : 'failure'
      onTry({ tool, input: value, exit, ...(result === undefined ? {} : { result }) })
    }
  }
  return (
    <form className="stack call-form" onSubmit={send}>
      <h3>Try a tool call</h3>
      <div className="field-grid">
        <ToolField
          value={tool}
          onChange={(name) => {
            setTool(name)
            setInput('')
          }}
        />
        {isShell ? (
          <CommandField value={command} onChange={setCommand} />
        ) : (
          <ArgumentsField value={written} isRead={value !== undefined} onChange={setInput} />
        )}
      </div>
      {readsResults ? <ResultField value={answer} onChange={setAnswer} /> : null}
      <div className="row">
        <button type="submit" className="button primary" disabled={value === undefined}>
          Try the call
        </button>
        <label className="flag">
          <input
            type="checkbox"
            checked={doesWork}
            onChange={(event) => setDoesWork(event.target.checked)}
          />{' '}
          it succeeds when it runs
        </label>
      </div>
    </form>
  )
}

interface FieldProps {
  readonly value: string
  readonly onChange: (value: string) => void
}

function ToolField({ value, onChange }: FieldProps) {
  return (
    <label className="field">
      <span>Tool</span>
      <input
        className="mono"
        list="known-tools"
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
      <datalist id="known-tools">
        {Object.keys(firstInputs).map((name) => (
          <option key={name} value={name} />
        ))}
      </datalist>
    </label>
  )
}

function CommandField({ value, onChange }: FieldProps) {
  return (
    <label className="field wide">
      <span>Command</span>
      <input className="mono" value={value} onChange={(event) => onChange(event.target.value)} />
    </label>
  )
}

function ArgumentsField(props: FieldProps & { readonly isRead: boolean }) {
  const { value, isRead, onChange } = props
  return (
    <label className="field wide">
      <span>Arguments (JSON)</span>
      <textarea
        className="mono"
        rows={2}
        value={value}
        aria-invalid={!isRead}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

function ResultField({ value, onChange }: FieldProps) {
  return (
    <label className="field">
      <span>What it answers with (JSON or text)</span>
      <textarea
        className="mono"
        rows={2}
        placeholder='{ "balance": 10 }'
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
