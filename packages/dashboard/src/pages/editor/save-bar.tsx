import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import {
  type DefinitionText,
  definitionsQuery,
  newestDefinition,
  saveDefinition,
} from '../../api/resources/definitions.ts'
import { Modal } from '../../ui/dialogs/dialog.tsx'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Ago } from '../../ui/values/when.tsx'
import { ConflictDialog } from '../conflict/conflict-dialog.tsx'
import { DefinitionLink } from '../definitions/definition-link.tsx'
import { TryOnPastRuns } from '../past-runs/past-runs.tsx'
import type { OpenDocument } from './use-document.ts'
import type { TextReading } from './use-reading.ts'

/** Saves the text as a new version, and says what stands in the way. */
export function SaveBar(props: {
  readonly kind: DefinitionKind
  readonly name: string | null
  readonly saved: DefinitionText | undefined
  readonly file: OpenDocument
  readonly reading: TextReading
}) {
  const { kind, name, saved, file, reading } = props
  const lines = useQuery(definitionsQuery(kind)).data
  const target = nameIn(reading)
  const known = lines?.find((line) => line.name === target)
  const isUsable = reading.program !== null || !reading.findings.some(isError)
  const isSaveable = isUsable && target !== '' && (file.isChanged || name === null || saved?.draft)
  const { save, isBusy, problem, theirs, close } = useSaving({ kind, name, target, file })
  useSaveKey(file.saveRequests, isSaveable === true, () => void save(file.baseHash))
  return (
    <>
      {file.restoredFrom !== null && file.isChanged ? (
        <span className="soft small-text">
          your changes of <Ago at={file.restoredFrom} />
        </span>
      ) : null}
      {file.isChanged ? <span className="badge wait">not saved</span> : null}
      {name === null ? null : (
        <DefinitionLink kind={kind} name={name} to="page" className="button">
          Versions
        </DefinitionLink>
      )}
      {file.isChanged ? (
        <button type="button" className="button" onClick={file.discard}>
          Discard changes
        </button>
      ) : null}
      <TryOnPastRuns rules={isUsable && target !== '' ? { definition: file.text } : null} />
      <button
        type="button"
        className="button primary"
        disabled={!isSaveable || isBusy}
        onClick={() => void save(file.baseHash)}
      >
        {saveWords(target, name, known?.version)}
      </button>
      {problem === null ? null : <NotSaved problem={problem} onClose={close} />}
      {theirs === null ? null : <Conflict {...{ theirs, file, save, close }} />}
    </>
  )
}

/** By key, from wherever it was pressed. */
function useSaveKey(requests: number, isSaveable: boolean, save: () => void): void {
  const newest = useRef(save)
  newest.current = save
  const last = useRef(requests)
  useEffect(() => {
    if (requests === last.current) return
    last.current = requests
    if (isSaveable) newest.current()
  }, [requests, isSaveable])
}

function useSaving(options: {
  readonly kind: DefinitionKind
  readonly name: string | null
  readonly target: string
  readonly file: OpenDocument
}) {
  const { kind, name, target, file } = options
  const client = useQueryClient()
  const navigate = useNavigate()
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const [theirs, setTheirs] = useState<DefinitionText | null>(null)
  const close = () => {
    setProblem(null)
    setTheirs(null)
  }
  const save = async (base: string) => {
    close()
    setBusy(true)
    try {
      const { text } = file
      const done = await saveDefinition(kind, target, text, (name === target && base) || undefined)
      file.wasSaved(text, done.hash)
      await client.invalidateQueries({ queryKey: ['definitions'] })
      toast('good', `Saved as version ${done.version}`, target)
      if (name !== target) {
        const to = kind === 'workflow' ? '/workflows/$name/edit' : '/processes/$name/edit'
        // After the text counts as saved: leaving must not ask.
        setTimeout(() => void navigate({ to, params: { name: target } }))
      }
    } catch (fault) {
      const refusal = problemOf(fault)
      const isOvertaken = refusal.code === 'saved_meanwhile'
      const other = isOvertaken ? await newestDefinition(kind, target).catch(() => null) : null
      if (other === null) setProblem(refusal)
      else setTheirs(other)
    }
    setBusy(false)
  }
  return { save, isBusy, problem, theirs, close }
}

/** Anyone who leaves the question has seen theirs: what is saved next is a change of it. */
function Conflict(props: {
  readonly theirs: DefinitionText
  readonly file: OpenDocument
  readonly save: (base: string) => Promise<void>
  readonly close: () => void
}) {
  const { theirs, file, save, close } = props
  const { name, text, hash, version, saved_by: by, saved_at: at } = theirs
  const begin = () => {
    file.wasSaved(text, hash)
    close()
  }
  return (
    <ConflictDialog
      name={name}
      theirs={{ text, version, by, at }}
      mine={file.text}
      base={file.restoredFrom === null ? file.base : undefined}
      onEdit={begin}
      onMine={() => void save(hash)}
      onTheirs={() => {
        begin()
        file.setText(text)
      }}
    />
  )
}

function NotSaved(props: { readonly problem: ApiProblem; readonly onClose: () => void }) {
  const { problem, onClose } = props
  return (
    <Modal isOpen onClose={onClose} title="Not saved">
      <ProblemNote problem={problem} />
      <ul className="stack">
        {problem.findings?.map((finding) => (
          <li key={finding.code + finding.path.join('.')} className="small-text">
            <span className="number">{finding.line}</span>{' '}
            <strong className={isError(finding) ? 'bad' : 'wait'}>{finding.code}</strong>{' '}
            <Foreign text={finding.message} max={600} />
          </li>
        ))}
      </ul>
      <div className="actions">
        <button type="button" className="button primary" onClick={onClose}>
          Back to the text
        </button>
      </div>
    </Modal>
  )
}

function saveWords(target: string, name: string | null, version: number | undefined): string {
  if (target === '') return 'Save'
  if (version === undefined) return `Save ${target.slice(0, 40)}`
  const next = `version ${version + 1}`
  return target === name ? `Save as ${next}` : `Save as ${next} of ${target.slice(0, 40)}`
}

/** The name that the text itself gives: the server saves it under no other. */
function nameIn({ definition, isPictureOld }: TextReading): string {
  if (definition === null || isPictureOld) return ''
  return definition.kind === 'workflow' ? definition.definition.id : definition.definition.name
}

function isError({ severity }: { readonly severity: string }): boolean {
  return severity === 'error'
}
