import type { AgentStateKind } from '@statewright/core/internal'
import { endpoints, type Session } from '@statewright/core/wire'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { TextField } from '../sessions/start-fields.tsx'

/** What people do with a session as a whole: name it, change its model, stop it, remove it. */
export function SessionActions(props: {
  readonly session: Session
  readonly state: AgentStateKind
  readonly model: string | null
}) {
  const { session, state, model } = props
  const { sessionId } = session
  const [open, setOpen] = useState<'edit' | 'stop' | 'remove' | null>(null)
  const navigate = useNavigate()
  const close = () => setOpen(null)
  const remove = async () => {
    await call(endpoints.deleteSession, { params: { id: sessionId } })
    await navigate({ to: '/sessions' })
  }
  return (
    <>
      <button type="button" className="button" onClick={() => setOpen('edit')}>
        Name and model
      </button>
      {state === 'stopped' ? (
        <button type="button" className="button danger" onClick={() => setOpen('remove')}>
          Remove
        </button>
      ) : null}
      {state === 'stopped' || state === 'stopping' ? null : (
        <button type="button" className="button danger" onClick={() => setOpen('stop')}>
          Stop
        </button>
      )}
      {open === 'edit' ? <EditDialog session={session} model={model} onClose={close} /> : null}
      {open === 'stop' ? (
        <Confirm
          title="Stop the session"
          description="Everything that it runs ends, and so does the run that guards it. It can be
            resumed later, with its conversation."
          word="Stop the session"
          act={() => call(endpoints.stopSession, { params: { id: sessionId }, body: {} })}
          changes={['session', sessionId]}
          isDangerous
          onClose={close}
        />
      ) : null}
      {open === 'remove' ? (
        <Confirm
          title="Remove the session"
          description="The conversation is deleted. The history of its run stays."
          word="Remove the session"
          act={remove}
          changes={['sessions']}
          done="Removed"
          tone="plain"
          isDangerous
          onClose={close}
        />
      ) : null}
    </>
  )
}

function EditDialog(props: {
  readonly session: Session
  readonly model: string | null
  readonly onClose: () => void
}) {
  const { session, onClose } = props
  const [title, setTitle] = useState(session.title ?? '')
  const [model, setModel] = useState(session.state.chosenModel ?? '')
  const save = () => {
    const words = { title: title.trim() || null, model: model.trim() || null }
    const body = {
      ...(words.title === session.title ? {} : { title: words.title }),
      ...(words.model === session.state.chosenModel ? {} : { model: words.model }),
    }
    return call(endpoints.editSession, { params: { id: session.sessionId }, body })
  }
  return (
    <Confirm
      title="Name and model"
      word="Save"
      act={save}
      changes={['session', session.sessionId]}
      done="Saved"
      onClose={onClose}
    >
      <TextField
        name="Name"
        hint="Name of the session in lists. Empty: the name of its harness."
        placeholder={`${session.harness} session`}
        value={title}
        onChange={setTitle}
      />
      <TextField
        name="Model"
        hint="Takes effect with the next request, unless the state of the run names a model.
          Empty: the model that the session began with."
        placeholder={plainText(props.model ?? 'as it was started', 80)}
        value={model}
        onChange={setModel}
      />
    </Confirm>
  )
}
