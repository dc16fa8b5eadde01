import { type FormEvent, useState } from 'react'
import type { TriedCall } from '../../model/simulation.ts'

const firstInputs: Readonly<Record<string, string>> = {
  Bash: '{ "command": "npm test" }',
  Read: '{ "file_path": "src/a.ts" }',
  Edit: '{ "file_path": "src/a.ts", "old_string": "a", "new_string": "b" }',
  Write: '{ "file_path": "src/a.ts", "content": "…" }',
  Grep: '{ "pattern": "todo" }',
  WebFetch: '{ "url": "https://example.com" }',
}

/** Tries a tool call. For the shell a command is enough; anything else takes its arguments. */
export function CallForm({ onTry }: { readonly onTry: (tried: TriedCall) => void }) {
  const [tool, setTool] = useState('Bash')
  const [command, setCommand] = useState('npm test')
  const [input, setInput] = useState('')
  const [doesWork, setDoesWork] = useState(true)
  const isShell = tool === 'Bash'
  const written = input === '' ? (firstInputs[tool] ?? '{}') : input
  const value = isShell ? { command } : parsed(written)
  const send = (event: FormEvent) => {
    event.preventDefault()
    if (value !== undefined) {
      onTry({ tool, input: value, exit: doesWork ? 'success' : 'failure' })
    }
  }
  return (
    <form className="stack call-form" onSubmit={send}>
      <h3>Try a tool call</h3>
      <div className="field-grid">
        <label className="field">
          <span>Tool</span>
          <input
            className="mono"
            list="known-tools"
            value={tool}
            onChange={(event) => {
              setTool(event.target.value)
              setInput('')
            }}
          />
          <datalist id="known-tools">
            {Object.keys(firstInputs).map((name) => (
              <option key={name} value={name} />
            ))}
          </datalist>
        </label>
        {isShell ? (
          <label className="field wide">
            <span>Command</span>
            <input
              className="mono"
              value={command}
              onChange={(event) => setCommand(event.target.value)}
            />
          </label>
        ) : (
          <label className="field wide">
            <span>Arguments (JSON)</span>
            <textarea
              className="mono"
              rows={2}
              value={written}
              aria-invalid={value === undefined}
              onChange={(event) => setInput(event.target.value)}
            />
          </label>
        )}
      </div>
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
