import { checkPolicyText, type Finding } from '@statewright/core/internal'
import { type AttachedPolicy, endpoints } from '@statewright/core/wire'
import { useMemo, useState } from 'react'
import { call } from '../../api/client/client.ts'
import type { ApiProblem } from '../../api/client/problem.ts'
import { examplePolicy } from '../../model/definitions/policy-rules.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { Confirm } from '../../ui/dialogs/confirm.tsx'
import { toast } from '../../ui/dialogs/toasts.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { ConflictDialog } from '../conflict/conflict-dialog.tsx'
import { TryOnPastRuns } from '../past-runs/past-runs.tsx'
import { PolicyText } from './policy-text.tsx'

/** Edits a policy of a project or role as text, checked as it is typed. */
export function PolicyEditor(props: {
  readonly attached: AttachedPolicy | null
  readonly onClose: () => void
}) {
  const { onClose } = props
  const draft = usePolicyDraft(props.attached)
  const { base, theirs, name, project, text, definition, findings, save } = draft
  const isReady = definition !== undefined && name.trim() !== ''
  const tried = {
    policy: definition,
    name: draft.params.name,
    policy_project: project.trim() || undefined,
  }
  return (
    <Confirm
      isWide
      title={base === null ? 'New policy' : `Policy ${plainText(base.name, 60)}`}
      word="Save"
      act={() => save(base?.version)}
      done={savedWords}
      isReady={isReady}
      onProblem={draft.wasRefused}
      other={base === null ? undefined : removing(draft.params)}
      onClose={onClose}
    >
      <div className="policy-where">
        {base === null ? <NameField name={name} setName={draft.setName} /> : null}
        <ProjectField project={project} setProject={draft.setProject} />
      </div>
      <PolicyText text={text} findings={findings} onChange={draft.setText} />
      <Findings findings={findings} />
      <p>
        <TryOnPastRuns rules={isReady ? tried : null} />
      </p>
      {theirs === null || base === null ? null : (
        <Conflict
          {...{ base, theirs }}
          mine={text}
          onChoose={draft.choose}
          onMine={async () => {
            await save(theirs.version)
            toast('good', savedWords)
            onClose()
          }}
        />
      )}
    </Confirm>
  )
}

/** The text that is edited, what it was begun with, and what somebody else saved meanwhile. */
function usePolicyDraft(attached: AttachedPolicy | null) {
  const [base, setBase] = useState(attached)
  const [theirs, setTheirs] = useState<AttachedPolicy | null>(null)
  const [name, setName] = useState(base?.name ?? '')
  const [project, setProject] = useState(base?.project ?? '')
  const [text, setText] = useState(() => (base === null ? examplePolicy : textOf(base)))
  const read = useMemo(() => checkPolicyText(text), [text])
  const params = { name: base?.name ?? name.trim() }
  const body = { policy: read.definition, project: project.trim() || undefined }
  return {
    ...{ base, theirs, name, setName, project, setProject, text, setText, params, ...read },
    save: (version: number | undefined) =>
      call(endpoints.savePolicy, { params, body: { ...body, base: version } }),
    wasRefused: ({ code }: ApiProblem) => {
      if (code !== 'saved_meanwhile') return false
      void call(endpoints.getPolicy, { params }).then(setTheirs, () => undefined)
      return true
    },
    choose: (chosen: 'theirs' | 'edit') => {
      setBase(theirs)
      setTheirs(null)
      if (chosen !== 'theirs' || theirs === null) return
      setText(textOf(theirs))
      setProject(theirs.project ?? '')
    },
  }
}

const savedWords = 'Saved: it applies from the next call on'

function textOf({ policy }: AttachedPolicy): string {
  return `${JSON.stringify(policy, null, 2)}\n`
}

function removing(params: { readonly name: string }) {
  return {
    word: 'Remove',
    act: () => call(endpoints.removePolicy, { params }),
    done: 'Removed',
  }
}

function Conflict(props: {
  readonly base: AttachedPolicy
  readonly theirs: AttachedPolicy
  readonly mine: string
  readonly onChoose: (chosen: 'theirs' | 'edit') => void
  readonly onMine: () => Promise<void>
}) {
  const { base, theirs, mine, onChoose, onMine } = props
  const { name, version, saved_by: by, saved_at: at } = theirs
  return (
    <ConflictDialog
      {...{ name, mine }}
      base={textOf(base)}
      theirs={{ text: textOf(theirs), version, by, at }}
      onTheirs={() => onChoose('theirs')}
      onEdit={() => onChoose('edit')}
      // Who was faster again is told of by the next try.
      onMine={() => void onMine().catch(() => onChoose('edit'))}
    />
  )
}

function NameField(props: { readonly name: string; readonly setName: (name: string) => void }) {
  return (
    <label className="field">
      <span>Name</span>
      <input
        value={props.name}
        maxLength={100}
        placeholder="lower-case-with-hyphens"
        onChange={(event) => props.setName(event.target.value)}
      />
    </label>
  )
}

function ProjectField(props: {
  readonly project: string
  readonly setProject: (project: string) => void
}) {
  return (
    <label className="field">
      <span>Project (none: the role that the text names, or everybody)</span>
      <input
        value={props.project}
        maxLength={4096}
        placeholder="/home/me/shop"
        onChange={(event) => props.setProject(event.target.value)}
      />
    </label>
  )
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0)
    return (
      <p className="small-text good">
        <Mark name="done" /> No problems found.
      </p>
    )
  return (
    <ul className="stack small-text" aria-label="Findings">
      {findings.slice(0, 20).map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no other name of their own.
        <li key={index} className="foreign">
          <span className={finding.severity === 'error' ? 'bad' : 'wait'}>
            <Mark name={finding.severity === 'error' ? 'no' : 'care'} /> {finding.code}
          </span>{' '}
          {finding.line === undefined ? '' : `line ${finding.line}: `}
          {plainText(finding.message, 400)}
        </li>
      ))}
    </ul>
  )
}
