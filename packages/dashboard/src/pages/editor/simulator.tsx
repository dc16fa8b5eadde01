import {
  type Definition,
  runView,
  type Simulated,
  shownEntry,
  simulatedAgent,
} from '@statewright/core/internal'
import { useState } from 'react'
import { seenSoFar } from '../../model/history/seen-so-far.ts'
import { readData } from '../../model/simulator/play.ts'
import { type Move, type RunSummary, summaryOf } from '../../model/simulator/run-summary.ts'
import { now, readsResults } from '../../model/simulator/simulation.ts'
import { entryWords } from '../../model/words/entry-words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { SeenPanel } from '../run/seen-panel.tsx'
import { CallForm } from './call-form.tsx'
import { LastOutcome } from './last-outcome.tsx'
import { ScenarioDialog } from './scenario-dialog.tsx'
import type { SimulationControls } from './use-simulation.ts'

const shownEntries = 60

/** A run in the browser, by the very rules that the server would hold it to. */
export function Simulator(props: {
  readonly simulation: SimulationControls
  readonly text: string
  readonly definition: Definition | null
  readonly onText: (text: string) => void
  readonly onPath: (path: string) => void
}) {
  const { simulation, text, definition, onText, onPath } = props
  const [isScenarioOpen, setScenarioOpen] = useState(false)
  const { current, attempt } = simulation
  if (current === null) {
    return <p className="soft">Fix the errors in the text to simulate a run.</p>
  }
  const play = now(current)
  const summary = summaryOf(play)
  return (
    <div className="stack">
      <Standing
        simulation={simulation}
        summary={summary}
        hasSteps={current.steps.length > 0}
        onSave={() => setScenarioOpen(true)}
      />
      <Story simulation={simulation} step={current.steps.length} />
      <LastOutcome
        simulation={current}
        text={text}
        definition={definition}
        onText={onText}
        onPath={onPath}
      />
      <Waiting waiting={summary.waiting} attempt={attempt} />
      <Moves moves={summary.moves} attempt={attempt} />
      <TryCall play={play} definition={definition} simulation={simulation} text={text} />
      <History play={play} />
      {isScenarioOpen ? (
        <ScenarioDialog
          simulation={current}
          name={play.program.root.id}
          onClose={() => setScenarioOpen(false)}
        />
      ) : null}
    </div>
  )
}

/** Where the run stands, and ways back. */
function Standing(props: {
  readonly simulation: SimulationControls
  readonly summary: RunSummary
  readonly hasSteps: boolean
  readonly onSave: () => void
}) {
  const { simulation, summary, hasSteps, onSave } = props
  const button = { type: 'button', className: 'button small', disabled: !hasSteps } as const
  return (
    <div className="row spread">
      <span>
        <strong>
          <Foreign text={summary.states.join(' + ')} max={120} />
        </strong>{' '}
        <span className="badge">{summary.status}</span>
      </span>
      <span className="row tight">
        <button {...button} onClick={simulation.stepBack}>
          <Mark name="undo" /> Step back
        </button>
        <button {...button} onClick={simulation.restart}>
          Start again
        </button>
        <button {...button} onClick={onSave}>
          Save as a scenario…
        </button>
      </span>
    </div>
  )
}

/** Events that the state knows, or the answers to its question. */
function Moves(props: {
  readonly moves: readonly Move[]
  readonly attempt: SimulationControls['attempt']
}) {
  const { moves, attempt } = props
  const [data, setData] = useState('')
  const read = readData(data)
  const [first] = moves
  if (first === undefined) return null
  const isQuestion = first.kind === 'answer'
  const move = (chosen: Move) => {
    if (chosen.kind === 'answer') attempt({ kind: 'answer', answer: chosen.name })
    else attempt({ kind: 'send', event: chosen.name, data: read ?? {} })
  }
  return (
    <fieldset className="choices stack">
      <legend>
        <h3>{isQuestion ? 'Answer' : 'Send an event'}</h3>
      </legend>
      <div className="row">
        {moves.map((one) => (
          <button
            key={one.name}
            type="button"
            className="button"
            disabled={read === null}
            onClick={() => move(one)}
          >
            {one.name}
          </button>
        ))}
      </div>
      {isQuestion ? null : (
        <label className="field">
          <span>Data of the event (JSON)</span>
          <input
            className="mono"
            placeholder='{ "cause": "line 42" }'
            value={data}
            aria-invalid={read === null}
            onChange={(event) => setData(event.target.value)}
          />
        </label>
      )}
    </fieldset>
  )
}

/** The newest entries first. */
function History(props: { readonly play: Simulated }) {
  const lines = props.play.entries
    .map((entry, index) => ({ index, ...entryWords(shownEntry(entry)) }))
    .slice(-shownEntries)
    .reverse()
  return (
    <section aria-label="What happened" className="stack">
      <h3>What happened</h3>
      <ol className="sim-history">
        {lines.map(({ index, tone, mark, title, detail }) => (
          <li key={index} className="entry small-text">
            <span aria-hidden="true" className={`entry-mark ${tone}`}>
              {mark}
            </span>
            <span className="entry-text">
              <Foreign text={title} max={160} />
              <span className="soft">
                <Foreign text={detail} max={200} />
              </span>
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** How far a story is that somebody else wrote. */
function Story(props: { readonly simulation: SimulationControls; readonly step: number }) {
  const { step, simulation } = props
  const { upcoming, stepOn } = simulation
  if (upcoming === 0) return null
  return (
    <div className="note row spread">
      <span>
        Step {step} of {step + upcoming} of a run that refutes the claim
      </span>
      <button type="button" className="button small" onClick={stepOn}>
        Next step <Mark name="redo" />
      </button>
    </div>
  )
}

/** What waits for a person, who is played here as well. */
function Waiting(props: {
  readonly waiting: RunSummary['waiting']
  readonly attempt: SimulationControls['attempt']
}) {
  return props.waiting.map(({ approvalId, message }) => (
    <div key={approvalId} className="note wait row spread">
      <Foreign text={message} max={300} />
      <span className="row tight">
        {(['approve', 'reject'] as const).map((verdict) => (
          <button
            key={verdict}
            type="button"
            className="button small"
            onClick={() => props.attempt({ kind: 'verdict', approvalId, verdict })}
          >
            {verdict === 'approve' ? 'Approve' : 'Reject'}
          </button>
        ))}
      </span>
    </div>
  ))
}

/** Only where a condition may read it: the word stands in the text. */
function TaskField(props: { readonly simulation: SimulationControls; readonly text: string }) {
  const { task, setTask } = props.simulation
  if (!/\btask\b/.test(props.text)) return null
  return (
    <label className="field">
      <span>What the person asked for (task)</span>
      <input value={task} onChange={(event) => setTask(event.target.value)} />
    </label>
  )
}

/** The form of a call, and what the calls so far have taught and marked. */
function TryCall(props: {
  readonly play: Simulated
  readonly definition: Definition | null
  readonly simulation: SimulationControls
  readonly text: string
}) {
  const { play, definition, simulation, text } = props
  const { program, run, entries } = play
  const definitions = new Map(definition === null ? [] : [[program.root.id, definition]])
  const placed = entries.map((entry, seq) => ({ ...entry, seq }))
  const at = entries.at(-1)?.at ?? 0
  const seen = seenSoFar(runView(program, run, simulatedAgent, { at }), definitions, placed)
  return (
    <>
      <TaskField simulation={simulation} text={text} />
      <CallForm
        onTry={(tried) => simulation.attempt({ kind: 'call', ...tried })}
        readsResults={readsResults(play)}
      />
      {seen === null ? null : <SeenPanel seen={seen} />}
    </>
  )
}
