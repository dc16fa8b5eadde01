import type { Definition, JsonObject, RunView } from '@statewright/core/internal'
import type { ReactNode } from 'react'
import { contextDiff } from '../../model/history/context-diff.ts'
import type { PlacedEntry } from '../../model/history/recorded-run.ts'
import type { SeenSoFar } from '../../model/history/seen-so-far.ts'
import type { FailedCondition } from '../../model/words/failed-conditions.ts'
import type { MarkName } from '../../model/words/marks.ts'
import { plainText, plainValue } from '../../model/words/plain-text.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { GuardList } from '../../ui/values/guard-list.tsx'
import { Mark } from '../../ui/values/mark.tsx'
import { EntryDetails } from './entry-details.tsx'
import { Limits } from './limits.tsx'
import { SeenPanel } from './seen-panel.tsx'

/** What holds at the selected moment: the entry itself, the data, the limits, the evidence. */
export function RunFacts(props: {
  /** Absent for a file: then nothing more can be asked for. */
  readonly runId: string | undefined
  readonly view: RunView
  readonly contextBefore: JsonObject | undefined
  readonly entry: PlacedEntry | undefined
  readonly definitions: ReadonlyMap<string, Definition>
  readonly machine: string
  /** What would have allowed the entry, where it was denied. */
  readonly suggestion: ReactNode
  /** Conditions that stopped the entry, by their place. */
  readonly failed: ReadonlyMap<string, FailedCondition>
  /** Null where no definition asks for facts or marks. */
  readonly seen: SeenSoFar | null
  readonly onSelect: (seq: number) => void
}) {
  const { runId, view, contextBefore, entry, definitions, machine, suggestion } = props
  const { failed, seen, onSelect } = props
  return (
    <div className="story-facts">
      {entry === undefined ? null : (
        <EntryDetails
          runId={runId}
          entry={entry}
          definition={definitions.get(machine)?.definition}
          suggestion={suggestion}
          failed={failed}
        />
      )}
      {saysSomething(view) ? <StateNow view={view} /> : null}
      {seen === null ? null : <SeenPanel seen={seen} onSelect={onSelect} />}
      <Context before={contextBefore ?? view.context} now={view.context} />
      <Limits limits={view.limits} />
      <Evidence evidence={view.evidence} />
    </div>
  )
}

/** Of a run that has ended there is nothing left to say. */
function saysSomething(view: RunView): boolean {
  const { instructions, question, interrupt, transitions, allowed_tools } = view
  if (allowed_tools !== null) return true
  const hasWords = instructions !== null || question !== undefined || interrupt !== null
  return hasWords || transitions.length > 0
}

function StateNow({ view }: { readonly view: RunView }) {
  return (
    <section className="panel">
      <header>
        <h2>
          State <Foreign text={view.state} max={80} />
        </h2>
        <span className="soft small-text">
          {view.allowed_tools === null
            ? 'any tool'
            : view.allowed_tools.length === 0
              ? 'no tools'
              : plainText(view.allowed_tools.join(', '), 200)}
        </span>
      </header>
      <div className="body stack">
        {view.instructions === null ? null : (
          <p className="foreign">{plainText(view.instructions, 4000)}</p>
        )}
        {view.question === undefined ? null : (
          <p>
            <strong>{plainText(view.question, 2000)}</strong>
          </p>
        )}
        {view.interrupt === null ? null : (
          <p className="note wait">
            Interrupt <strong>{plainText(view.interrupt.name, 80)}</strong> by{' '}
            <code className="foreign">{plainText(view.interrupt.file, 300)}</code>; back to{' '}
            <strong>{plainText(view.interrupt.return_to, 80)}</strong>.
          </p>
        )}
        <WaysOn view={view} />
      </div>
    </section>
  )
}

function WaysOn({ view }: { readonly view: RunView }) {
  if (view.transitions.length === 0) return null
  return (
    <ul className="stack">
      {view.transitions.map((way) => (
        <li key={`${way.event} ${way.target}`} className="stack ways">
          <span>
            <code>{plainText(way.event, 80)}</code> → {plainText(way.target, 80)}{' '}
            {way.requires_approval ? <span className="badge wait">asks a person</span> : null}
          </span>
          {way.guards.length === 0 ? null : <GuardList guards={way.guards} />}
        </li>
      ))}
    </ul>
  )
}

const marks = { same: '', added: '+', changed: '~', removed: '−' } as const

function Context(props: { readonly before: JsonObject; readonly now: JsonObject }) {
  const fields = contextDiff(props.before, props.now)
  if (fields.length === 0) return null
  return (
    <section className="panel">
      <header>
        <h2>Context</h2>
        <span className="soft small-text">marked: what this step wrote</span>
      </header>
      <dl className="body facts">
        {fields.map(({ name, change, before, now }) => (
          <div key={name} className={`context-field ${change}`}>
            <dt className="foreign">
              <span className="context-mark">{marks[change]}</span>
              {plainText(name, 100)}
            </dt>
            <dd>
              {change === 'changed' || change === 'removed' ? (
                <del>{plainValue(before, 500)}</del>
              ) : null}{' '}
              {change === 'removed' ? null : <code>{plainValue(now, 2000)}</code>}
            </dd>
          </div>
        ))}
      </dl>
    </section>
  )
}

const freshness: Readonly<Record<string, readonly [tone: string, mark: MarkName, word: string]>> = {
  fresh: ['good', 'done', 'fresh'],
  missing: ['plain', 'open', 'missing'],
  running: ['accent', 'busy', 'running'],
  refuted: ['bad', 'no', 'refuted'],
  only_reported: ['wait', 'care', 'only reported'],
  stale: ['wait', 'care', 'stale'],
  freshness_unknown: ['wait', 'ask', 'freshness unknown'],
}

function Evidence({ evidence }: { readonly evidence: RunView['evidence'] }) {
  const facts = Object.entries(evidence)
  if (facts.length === 0) return null
  return (
    <section className="panel">
      <header>
        <h2>Evidence</h2>
      </header>
      <ul className="body stack">
        {facts.map(([name, state]) => {
          const [tone, mark, word] = freshness[state] ?? ['plain', 'open', state]
          return (
            <li key={name} className="row spread">
              <Foreign text={name} max={80} />
              <span className={`badge ${tone}`}>
                <Mark name={mark} />
                {word}
              </span>
            </li>
          )
        })}
      </ul>
    </section>
  )
}
