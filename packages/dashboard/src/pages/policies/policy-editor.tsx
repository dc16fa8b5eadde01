import { checkPolicyText, type Finding } from '@statewright/core/internal'
import { type AttachedPolicy, endpoints } from '@statewright/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useMemo, useState } from 'react'
import { call } from '../../api/client.ts'
import { type ApiProblem, problemOf } from '../../api/problem.ts'
import { plainText } from '../../model/plain-text.ts'
import { examplePolicy } from '../../model/policy-rules.ts'
import { Modal } from '../../ui/dialog.tsx'
import { ProblemNote } from '../../ui/problem-note.tsx'
import { toast } from '../../ui/toasts.tsx'

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
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const client = useQueryClient()
  const { definition, findings } = useMemo(() => checkPolicyText(text), [text])
  const params = { name: attached?.name ?? name.trim() }
  const change = async (done: string, act: () => Promise<unknown>) => {
    try {
      await act()
      toast('good', done)
      await client.invalidateQueries({ queryKey: ['policies'] })
      await client.invalidateQueries({ queryKey: ['usage'] })
      onClose()
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  const save = (event: FormEvent) => {
    event.preventDefault()
    const body = { policy: definition, project: project.trim() || undefined }
    const saves = () => call(endpoints.savePolicy, { params, body })
    void change('Saved: it holds for the next call', saves)
  }
  const title = attached === null ? 'New policy' : `Policy ${plainText(attached.name, 60)}`
  return (
    <Modal isOpen onClose={onClose} title={title}>
      <form className="stack" onSubmit={save}>
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
        <label className="field">
          <span>Policy, as YAML or JSON</span>
          <textarea
            className="mono policy-text"
            spellCheck={false}
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        <Findings findings={findings} />
        {problem === null ? null : <ProblemNote problem={problem} />}
        <div className="actions">
          {attached === null ? null : (
            <button
              type="button"
              className="button danger policy-remove"
              onClick={() => void change('Removed', () => call(endpoints.removePolicy, { params }))}
            >
              Remove
            </button>
          )}
          <button type="button" className="button" onClick={onClose}>
            Cancel
          </button>
          <button
            type="submit"
            className="button primary"
            disabled={definition === undefined || name.trim() === ''}
          >
            Save
          </button>
        </div>
      </form>
    </Modal>
  )
}

function Findings({ findings }: { readonly findings: readonly Finding[] }) {
  if (findings.length === 0) return <p className="small-text good">✓ Nothing to complain about.</p>
  return (
    <ul className="stack small-text" aria-label="Findings">
      {findings.slice(0, 20).map((finding, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: findings have no other name of their own.
        <li key={index} className="foreign">
          <span className={finding.severity === 'error' ? 'bad' : 'wait'}>
            {finding.severity === 'error' ? '✕' : '△'} {finding.code}
          </span>{' '}
          {finding.line === undefined ? '' : `line ${finding.line}: `}
          {plainText(finding.message, 400)}
        </li>
      ))}
    </ul>
  )
}
