import { endpoints, type SessionLine } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { type RefObject, useId, useRef, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { definitionsQuery, processesQuery } from '../../api/resources/definitions.ts'
import { harnesses } from '../../model/sessions/session-filters.ts'
import { emptyForm, type StartForm, startRequest } from '../../model/sessions/start-session.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { HarnessFields, TextField } from './start-fields.tsx'

const about: Readonly<Record<string, string>> = {
  scripted: 'Plays a file of turns instead of asking a model: for demos and tests.',
  model: 'Any model of a provider, with the tools of Statewright.',
  'claude-code': 'Claude Code without a terminal, with the hooks of Statewright.',
  acp: 'Any agent that speaks the Agent Client Protocol.',
}

/** Asks for what a session needs, starts it and goes there. */
export function StartDialog(props: {
  readonly sessions: readonly SessionLine[]
  readonly onClose: () => void
}) {
  const { sessions, onClose } = props
  const folders = [...new Set(sessions.map(({ projectPath }) => projectPath))].slice(0, 20)
  const [form, setForm] = useState<StartForm>({ ...emptyForm, workspace: folders[0] ?? '' })
  const first = useRef<HTMLSelectElement>(null)
  const navigate = useNavigate()
  const listId = useId()
  const set = (change: Partial<StartForm>) => setForm({ ...form, ...change })
  const request = startRequest(form)
  const start = async () => {
    if ('missing' in request) return
    const { sessionId } = await call(endpoints.startSession, { body: request })
    await navigate({ to: '/sessions/$sessionId', params: { sessionId } })
  }
  const missing = 'missing' in request ? request.missing : undefined
  return (
    <Confirm
      title="Start a session"
      word="Start"
      act={start}
      changes={['sessions']}
      isReady={missing === undefined}
      note={
        missing === undefined ? null : (
          <span className="soft small-text start-missing">{missing}</span>
        )
      }
      focusFirst={first}
      onClose={onClose}
    >
      <HarnessField ref={first} value={form.harness} onChange={(harness) => set({ harness })} />
      <TextField
        name="Workspace"
        hint="The folder it works in, as an absolute path on the server's machine."
        placeholder="/home/me/shop"
        value={form.workspace}
        list={listId}
        onChange={(workspace) => set({ workspace })}
      />
      <datalist id={listId}>
        {folders.map((folder) => (
          <option key={folder} value={folder} />
        ))}
      </datalist>
      <HarnessFields form={form} onChange={set} />
      <Rules value={form.rules} onChange={(rules) => set({ rules })} />
    </Confirm>
  )
}

function HarnessField(props: {
  readonly ref: RefObject<HTMLSelectElement | null>
  readonly value: StartForm['harness']
  readonly onChange: (harness: string) => void
}) {
  const { ref, value, onChange } = props
  return (
    <label className="field">
      <span>Harness</span>
      <select ref={ref} value={value} onChange={(event) => onChange(event.target.value)}>
        {harnesses.map((harness) => (
          <option key={harness}>{harness}</option>
        ))}
      </select>
      <span className="soft small-text">{about[value]}</span>
    </label>
  )
}

function Rules(props: { readonly value: string; readonly onChange: (value: string) => void }) {
  const workflows = useQuery(definitionsQuery('workflow')).data ?? []
  const processes = useQuery(processesQuery).data ?? []
  const accepted = ({ draft }: { readonly draft: boolean }) => !draft
  return (
    <label className="field">
      <span>Rules</span>
      <select value={props.value} onChange={(event) => props.onChange(event.target.value)}>
        <option value="">Policies only</option>
        <optgroup label="Workflow">
          {workflows.filter(accepted).map(({ name }) => (
            <option key={name} value={`workflow:${name}`}>
              {plainText(name, 80)}
            </option>
          ))}
        </optgroup>
        <optgroup label="Process">
          {processes.filter(accepted).map(({ id, name }) => (
            <option key={id} value={`process:${id}`}>
              {plainText(name, 80)}
            </option>
          ))}
        </optgroup>
      </select>
      <span className="soft small-text">
        Every call is checked by a run of it, and the agent reads what it may do in each state.
      </span>
    </label>
  )
}
