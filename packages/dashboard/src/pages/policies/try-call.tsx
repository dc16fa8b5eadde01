import { type ExplainedPolicies, endpoints } from '@statewright/core/wire'
import { type FormEvent, useRef, useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { UsageBar } from './usage-bar.tsx'

const looks = {
  allow: { tone: 'good', mark: 'done', word: 'allowed' },
  ask: { tone: 'wait', mark: 'ask', word: 'asks a person' },
  deny: { tone: 'bad', mark: 'no', word: 'denied' },
} as const

/** What the policies would say of a call. It counts nothing and opens nothing. */
export function TryCall() {
  const [tool, setTool] = useState('')
  const [role, setRole] = useState('')
  const [project, setProject] = useState('')
  const [run, setRun] = useState('')
  const [answer, setAnswer] = useState<ExplainedPolicies | null>(null)
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const tries = useRef(0)
  const tryIt = async (event: FormEvent) => {
    event.preventDefault()
    tries.current += 1
    const own = tries.current
    // An answer to an earlier question may come later than the one to this.
    const show = (next: ExplainedPolicies | null, fault: ApiProblem | null) => {
      if (own !== tries.current) return
      setAnswer(next)
      setProblem(fault)
    }
    const body = {
      // A path with parts is a capability already; anything else is the name of a tool.
      ...(tool.includes(':') ? { capability: tool.trim() } : { tool: tool.trim() }),
      role: role.trim() || undefined,
      project: project.trim() || undefined,
      run: run.trim() || undefined,
    }
    try {
      show(await call(endpoints.explainPolicies, { body }), null)
    } catch (fault) {
      show(null, problemOf(fault))
    }
  }
  return (
    <section className="panel" aria-label="Try a call">
      <header>
        <h2>Try a call</h2>
        <span className="soft small-text">dry run</span>
      </header>
      <div className="body stack">
        <form className="try-form" onSubmit={tryIt}>
          <Field
            name="Tool"
            value={tool}
            placeholder="Bash or mcp:fs:write_file"
            onChange={setTool}
          />
          <Field name="Role" value={role} placeholder="agent" onChange={setRole} />
          <Field name="Project" value={project} placeholder="any" onChange={setProject} />
          <Field name="Run" value={run} placeholder="none" onChange={setRun} />
          <button type="submit" className="button" disabled={tool.trim() === ''}>
            Try it
          </button>
        </form>
        {problem === null ? null : <ProblemNote problem={problem} />}
        {answer === null ? null : <Answer answer={answer} />}
      </div>
    </section>
  )
}

function Field(props: {
  readonly name: string
  readonly value: string
  readonly placeholder: string
  readonly onChange: (value: string) => void
}) {
  const { name, value, placeholder, onChange } = props
  return (
    <label className="field">
      <span>{name}</span>
      <input
        value={value}
        placeholder={placeholder}
        maxLength={500}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
    </label>
  )
}

function Answer({ answer }: { readonly answer: ExplainedPolicies }) {
  const { tone, mark, word } = looks[answer.decision]
  const { rule, reasons, policies } = answer
  return (
    <div className="stack" role="status">
      <p>
        <span className={`badge ${tone}`}>
          <Mark name={mark} />
          {word}
        </span>{' '}
        <code className="foreign">{plainText(answer.capability, 200)}</code> of the role{' '}
        <Foreign text={answer.role} max={60} />
      </p>
      {rule === undefined ? (
        <p className="small-text soft">No rule matches: the default applies.</p>
      ) : (
        <p className="small-text foreign">
          Rule <code>{plainText(rule.path, 200)}</code> of <Foreign text={rule.policy} /> says{' '}
          {rule.list}: <code>{plainText(rule.capability, 200)}</code>
        </p>
      )}
      {reasons.map((reason, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: reasons have no other name of their own.
        <p key={index} className="small-text foreign">
          <code>{reason.code}</code> {plainText(reason.message, 400)}
        </p>
      ))}
      {answer.usage === undefined ? null : <UsageBar used={answer.usage} />}
      {policies.length === 0 ? (
        <p className="small-text soft">No policy applies to this call.</p>
      ) : (
        <ul className="stack small-text" aria-label="What each policy says">
          {policies.map((one) => (
            <li key={one.policy} className="row spread">
              <Foreign text={one.policy} max={120} />
              <span className={`badge ${looks[one.decision].tone}`}>
                {looks[one.decision].word}
                {one.rule === null ? ' by default' : ` by ${one.rule.list} ${one.rule.index + 1}`}
              </span>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
