import { type Definition, type Reason, simulatedAgent } from '@statewright/core/internal'
import { useMemo } from 'react'
import { outcomeOf } from '../../model/simulator/outcome.ts'
import { readText } from '../../model/simulator/play.ts'
import { before, now, type Simulation } from '../../model/simulator/simulation.ts'
import { helpFor } from '../../model/suggest/help.ts'
import { type DeniedCall, suggestChange } from '../../model/suggest/suggest-change.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { GuardList } from '../../ui/values/guard-list.tsx'
import { SuggestedChange } from '../suggest/suggested-change.tsx'

/** What came of the last step, why, and what would have to change for it to pass. */
export function LastOutcome(props: {
  readonly simulation: Simulation
  readonly text: string
  readonly definition: Definition | null
  readonly onText: (text: string) => void
  readonly onPath: (path: string) => void
}) {
  const { simulation, text, onText, onPath } = props
  const { last } = now(simulation)
  const { tone, title } = outcomeOf(now(simulation))
  const denied = useMemo(() => deniedCall(simulation), [simulation])
  const suggestion = useMemo(
    () =>
      denied === null ? null : suggestChange(text, (changed) => readText(changed).program, denied),
    [denied, text],
  )
  const reasons = last.answer.type === 'decided' ? last.answer.decision.reasons : []
  const notices =
    last.answer.type === 'decided' || last.answer.type === 'recorded' ? last.answer.notices : []
  return (
    <section className={`note outcome ${tone}`} aria-label="Outcome" role="status">
      <strong className={tone}>
        <Foreign text={title} max={200} />
      </strong>
      {last.refusal === undefined ? null : (
        <>
          <p>
            <Foreign text={last.refusal.message} max={600} />
          </p>
          <GuardList guards={last.refusal.guards ?? []} />
          <p className="small-text">{helpFor(last.refusal.code)}</p>
        </>
      )}
      {reasons.map((reason) => (
        <ReasonLine
          key={reason.code + reason.path + reason.message}
          reason={reason}
          onPath={onPath}
        />
      ))}
      {notices.map((notice) => (
        <p key={notice} className="soft small-text">
          <Foreign text={notice} max={400} />
        </p>
      ))}
      {suggestion === null ? null : (
        <SuggestedChange
          text={text}
          suggestion={suggestion}
          onApply={onText}
          applyWord="Apply to the text"
        />
      )}
    </section>
  )
}

function ReasonLine(props: { readonly reason: Reason; readonly onPath: (path: string) => void }) {
  const { code, message, path } = props.reason
  return (
    <p>
      <code>{code}</code> <Foreign text={message} max={600} />{' '}
      {path === '' ? null : (
        <button
          type="button"
          className="button small quiet place"
          onClick={() => props.onPath(path)}
        >
          <Foreign text={path} max={120} />
        </button>
      )}
    </p>
  )
}

function deniedCall(simulation: Simulation): DeniedCall | null {
  const tried = simulation.steps.at(-1)?.tried
  const { last } = now(simulation)
  if (tried?.kind !== 'call' || last.answer.type !== 'decided') return null
  if (last.answer.decision.kind !== 'deny') return null
  const { run } = before(simulation)
  const call = simulation.start.describe({ id: 'tried', tool: tried.tool, input: tried.input })
  return { run, call, by: simulatedAgent, at: 0, reasons: last.answer.decision.reasons }
}
