import { useId } from 'react'
import { knownAgents, type StartForm } from '../../model/sessions/start-session.ts'

export function TextField(props: {
  readonly name: string
  readonly hint?: string
  readonly placeholder?: string
  readonly value: string
  readonly list?: string
  readonly onChange: (value: string) => void
}) {
  const { name, hint, placeholder, value, list, onChange } = props
  const id = useId()
  return (
    <div className="field">
      <label htmlFor={id} className="field-name">
        {name}
      </label>
      <input
        id={id}
        aria-describedby={hint === undefined ? undefined : `${id}-hint`}
        value={value}
        placeholder={placeholder}
        list={list}
        maxLength={4096}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      {hint === undefined ? null : (
        <span id={`${id}-hint`} className="soft small-text">
          {hint}
        </span>
      )}
    </div>
  )
}

interface FormProps {
  readonly form: StartForm
  readonly onChange: (change: Partial<StartForm>) => void
}

/** What the chosen harness wants to know. */
export function HarnessFields(props: FormProps) {
  const { form, onChange } = props
  switch (form.harness) {
    case 'scripted':
      return (
        <TextField
          name="Script"
          hint="A YAML or JSON file in the workspace with the messages and calls of each turn."
          placeholder="hello.yaml"
          value={form.script}
          onChange={(script) => onChange({ script })}
        />
      )
    case 'model':
      return (
        <>
          <TextField
            name="Model"
            hint="Its key comes from the server's environment. A state may name another model."
            placeholder="anthropic/<model>, openai/<model> or openai-compatible/<model>"
            value={form.model}
            onChange={(model) => onChange({ model })}
          />
          <TextField
            name="Address (optional)"
            hint="Address of a compatible server, such as Ollama. No keys are sent there."
            placeholder="http://127.0.0.1:11434/v1"
            value={form.address}
            onChange={(address) => onChange({ address })}
          />
        </>
      )
    case 'claude-code':
      return (
        <TextField
          name="Model (optional)"
          placeholder="as Claude Code chooses"
          value={form.model}
          onChange={(model) => onChange({ model })}
        />
      )
    default:
      return <AgentFields {...props} />
  }
}

/** An agent that the server knows by name, or any other by its command. */
function AgentFields({ form, onChange }: FormProps) {
  return (
    <>
      <label className="field">
        <span>Agent</span>
        <select value={form.agent} onChange={(event) => onChange({ agent: event.target.value })}>
          {knownAgents.map((agent) => (
            <option key={agent}>{agent}</option>
          ))}
          <option value="">Another, by its command</option>
        </select>
      </label>
      {form.agent === '' ? (
        <TextField
          name="Command"
          placeholder="my-agent --acp"
          value={form.command}
          onChange={(command) => onChange({ command })}
        />
      ) : null}
    </>
  )
}
