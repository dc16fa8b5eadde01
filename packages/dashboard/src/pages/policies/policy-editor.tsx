import { checkPolicyText, type Finding } from '@statewright/core/internal'
import { type AttachedPolicy, endpoints } from '@statewright/core/wire'
import { useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { plainText } from '../../model/plain-text.ts'
import { examplePolicy } from '../../model/policy-rules.ts'
import { Confirm } from '../../ui/confirm.tsx'
import { Mark } from '../../ui/mark.tsx'
import { TryOnPastRuns } from '../past-runs/past-runs.tsx'

/** Edits a policy of a project or role as text, checked as it is typed. */
export function PolicyEditor(props: {
  readonly attached: AttachedPolicy | null
  readonly onClose: () => void
}) {
  const { attached, onClose } = props
  const [name, setName] = useState(attached?.name ?? '')
  const [project, setProject] = useState(attached?.project ?? '')
  const [text, setText] = useState(() =>
    attached === null ? examplePolicy : `${JSON.stringify(attached.policy, null, 2)}\n`,
  )
  const { definition, findings } = useMemo(() => checkPolicyText(text), [text])
  const params = { name: attached?.name ?? name.trim() }
  const body = { policy: definition, project: project.trim() || undefined }
  const isReady = definition !== undefined && name.trim() !== ''
  const tried = { policy: definition, name: params.name, policy_project: body.project }
  const remove = {
    word: 'Remove',
    act: () => call(endpoints.removePolicy, { params }),
    done: 'Removed',
  }
  const title = attached === null ? 'New policy' : `Policy ${plainText(attached.name, 60)}`
  return (
    <Confirm
      title={title}
      word="Save"
      act={() => call(endpoints.savePolicy, { params, body })}
      done="Saved: it holds for the next call"
      isReady={isReady}
      other={attached === null ? undefined : remove}
      onClose={onClose}
    >
      {attached === null ? (
        <label className="field">
          <span>Name</span>
          <input
            value={name}
            maxLength={100}
            placeholder="lower-case-with-hyphens"
            onChange={(event) => setName(event.target.value)}
          />
        </label>
      ) : null}
      <label className="field">
        <span>Project (none: the role that the text names, or everybody)</span>
        <input
          value={project}
          maxLength={4096}
          placeholder="/home/me/shop"
          onChange={(event) => setProject(event.target.value)}
        />
      </label>
      <PolicyText text={text} onChange={setText} />
      <Findings findings={findings} />
      <p>
        <TryOnPastRuns rules={isReady ? tried : null} />
      </p>
    </Confirm>
  )
}

function PolicyText(props: { readonly text: string; readonly onChange: (text: string) => void }) {
  const { text, onChange } = props
  return (
    <label className="field">
      <span>Policy, as YAML or JSON</span>
      <textarea
        className="mono policy-text"
        spellCheck={false}
        value={text}
        onChange={(event) => onChange(event.target.value)}
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
