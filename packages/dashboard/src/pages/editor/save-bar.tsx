import type { DefinitionKind } from '@statewright/core/wire'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useEffect, useRef, useState } from 'react'
import {
  type DefinitionText,
  definitionsQuery,
  newestHash,
  saveDefinition,
} from '../../api/definitions.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { Modal } from '../../ui/dialog.tsx'
import { Foreign } from '../../ui/foreign-text.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'
import { Ago } from '../../ui/when.tsx'
import { DefinitionLink } from '../definitions/definition-link.tsx'
import { TryOnPastRuns } from '../past-runs/past-runs.tsx'
import type { OpenDocument } from './use-document.ts'
import type { TextReading } from './use-reading.ts'

interface Refused {
  readonly problem: ApiProblem
  /** Somebody saved another version since this text was begun. */
  readonly isOvertaken: boolean
}

/** Saves the text as a new version, and says what stands in the way. */
export function SaveBar(props: {
  readonly kind: DefinitionKind
  readonly name: string | null
  readonly saved: DefinitionText | undefined
  readonly file: OpenDocument
  readonly reading: TextReading
}) {
  const { kind, name, saved, file, reading } = props
  const client = useQueryClient()
  const navigate = useNavigate()
  const lines = useQuery(definitionsQuery(kind)).data
  const [isBusy, setBusy] = useState(false)
  const [refused, setRefused] = useState<Refused | null>(null)
  const target = nameIn(reading)
  const known = lines?.find((line) => line.name === target)
  const isUsable = reading.program !== null || !reading.findings.some(isError)
  const isSaveable = isUsable && target !== '' && (file.isChanged || name === null || saved?.draft)
  const save = async (isSure: boolean) => {
    setRefused(null)
    setBusy(true)
    try {
      const { text } = file
      if (!isSure && name === target && (await newestHash(kind, target)) !== file.baseHash) {
        throw overtaken
      }
      const done = await saveDefinition(kind, target, text)
      file.wasSaved(text, done.hash)
      await client.invalidateQueries({ queryKey: ['definitions'] })
      toast('good', `Saved as version ${done.version}`, target)
      if (name !== target) {
        const to = kind === 'workflow' ? '/workflows/$name/edit' : '/processes/$name/edit'
        // After the text counts as saved: leaving must not ask.
        setTimeout(() => void navigate({ to, params: { name: target } }))
      }
    } catch (fault) {
      const isOvertaken = fault === overtaken
      setRefused({ problem: isOvertaken ? overtakenProblem : problemOf(fault), isOvertaken })
    }
    setBusy(false)
  }
  const newest = useRef(save)
  newest.current = save
  const lastRequest = useRef(file.saveRequests)
  useEffect(() => {
    if (file.saveRequests === lastRequest.current) return
    lastRequest.current = file.saveRequests
    if (isSaveable) void newest.current(false)
  }, [file.saveRequests, isSaveable])
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
        onClick={() => void save(false)}
      >
        {saveWords(target, name, known?.version)}
      </button>
      {refused === null ? null : (
        <NotSaved
          refused={refused}
          onClose={() => setRefused(null)}
          onSure={() => void save(true)}
        />
      )}
    </>
  )
}

function NotSaved(props: {
  readonly refused: Refused
  readonly onClose: () => void
  readonly onSure: () => void
}) {
  const { refused, onClose, onSure } = props
  return (
    <Modal isOpen onClose={onClose} title="Not saved">
      <ProblemNote problem={refused.problem} />
      <ul className="stack">
        {refused.problem.findings?.map((finding) => (
          <li key={finding.code + finding.path.join('.')} className="small-text">
            <span className="number">{finding.line}</span>{' '}
            <strong className={isError(finding) ? 'bad' : 'wait'}>{finding.code}</strong>{' '}
            <Foreign text={finding.message} max={600} />
          </li>
        ))}
      </ul>
      <div className="actions">
        {refused.isOvertaken ? (
          <button type="button" className="button danger" onClick={onSure}>
            Save over it
          </button>
        ) : null}
        <button type="button" className="button primary" onClick={onClose}>
          Back to the text
        </button>
      </div>
    </Modal>
  )
}

const overtaken = Symbol('overtaken')
const overtakenProblem: ApiProblem = {
  status: 409,
  code: 'saved_meanwhile',
  message: 'Somebody saved another version since you began.',
  next: 'look at it under Versions; your text is kept in this browser.',
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
