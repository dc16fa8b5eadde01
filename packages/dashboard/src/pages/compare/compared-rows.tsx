import { useEffect, useRef, useState } from 'react'
import type {
  ComparedRow,
  ComparedStep,
  Comparison,
  StepDifference,
} from '../../model/history/compare/compare-runs.ts'
import { plainText, plainValue } from '../../model/words/plain-text.ts'
import { count } from '../../model/words/words.ts'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Mark } from '../../ui/values/mark.tsx'

const rowsAtOnce = 200

/** A row for each state. What is equal is folded away, what differs is open. */
export function ComparedRows(props: {
  readonly compared: Comparison
  readonly chosen: number | undefined
  readonly onRow: (row: number | undefined) => void
}) {
  const { compared, chosen, onRow } = props
  const { rows, end } = compared
  const [most, setMost] = useState(rowsAtOnce)
  const list = useRef<HTMLOListElement>(null)
  useEffect(() => {
    if (chosen === undefined) return
    setMost((before) => Math.max(before, chosen + 1))
    const row = list.current?.querySelector(`[data-row="${chosen}"]`)
    row?.scrollIntoView({ block: 'nearest' })
  }, [chosen])
  const parting = end.kind === 'same' ? undefined : end.row
  return (
    <section className="panel compare-rows" aria-label="States of both">
      <header>
        <h2>State by state</h2>
        {chosen === undefined ? (
          <span className="soft small-text">Choose a state: both pictures show that moment.</span>
        ) : (
          <button type="button" className="button small" onClick={() => onRow(undefined)}>
            Back to the end of both
          </button>
        )}
      </header>
      <ol ref={list}>
        {rows.slice(0, most).map((row, index) => (
          <Row
            // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place.
            key={index}
            row={row}
            index={index}
            isParting={index === parting}
            isChosen={index === chosen}
            onChoose={() => onRow(index === chosen ? undefined : index)}
          />
        ))}
      </ol>
      {rows.length <= most ? null : (
        <button type="button" className="button" onClick={() => setMost(most + rowsAtOnce)}>
          {rows.length - most} more states
        </button>
      )}
    </section>
  )
}

function Row(props: {
  readonly row: ComparedRow
  readonly index: number
  readonly isParting: boolean
  readonly isChosen: boolean
  readonly onChoose: () => void
}) {
  const { row, index, isParting, isChosen, onChoose } = props
  const isOneSided = row.left === undefined || row.right === undefined
  const looks = [
    'compare-row',
    isParting && 'is-parting',
    isChosen && 'is-chosen',
    isOneSided && 'is-one-sided',
  ]
  return (
    <li className={looks.filter(Boolean).join(' ')} data-row={index}>
      <div className="compare-head">
        <button type="button" className="compare-state" aria-pressed={isChosen} onClick={onChoose}>
          <Foreign text={row.state} max={60} />
          {row.branch === '' ? null : (
            <span className="badge">
              <Mark name="branch" /> <Foreign text={row.branch} max={40} />
            </span>
          )}
        </button>
        {isParting ? <span className="badge bad">they differ from here</span> : null}
        <Presence row={row} />
      </div>
      <div className="compare-body">
        <Steps steps={row.steps} />
        {row.context.map(({ name, before, now }) => (
          <Pair
            key={name}
            difference="decision"
            left={<Field name={name} value={before} />}
            right={<Field name={name} value={now} />}
          />
        ))}
        <Pair
          difference={row.isSameExit ? 'none' : 'decision'}
          left={<code className="compare-exit">{exitWords(row.left)}</code>}
          right={<code className="compare-exit">{exitWords(row.right)}</code>}
        />
      </div>
    </li>
  )
}

function Presence({ row }: { readonly row: ComparedRow }) {
  const { left, right, differences } = row
  if (left === undefined) return <span className="badge wait">only on the right</span>
  if (right === undefined) return <span className="badge wait">only on the left</span>
  if (differences === 0) return <span className="badge good">the same</span>
  return <span className="badge wait">{count(differences, 'difference')}</span>
}

/** Equal steps in a row are one line, which opens. */
function Steps({ steps }: { readonly steps: readonly ComparedStep[] }) {
  const groups: ComparedStep[][] = []
  for (const step of steps) {
    const last = groups.at(-1)
    const isEqual = step.difference === 'none' && last?.[0]?.difference === 'none'
    if (last !== undefined && isEqual) last.push(step)
    else groups.push([step])
  }
  return groups.map((group) => {
    const [first] = group
    const key = `${first?.left?.index} ${first?.right?.index}`
    if (group.length < 2) return group.map((step) => <StepPair key={key} step={step} />)
    return (
      <details key={key} className="compare-equal">
        <summary className="soft">{count(group.length, 'equal step')}</summary>
        {group.map((step) => (
          <StepPair key={`${step.left?.index}`} step={step} />
        ))}
      </details>
    )
  })
}

const differenceWords: Readonly<Record<StepDifference, string>> = {
  none: '',
  only_left: 'only on the left',
  only_right: 'only on the right',
  decision: 'decided differently',
  arguments: 'other arguments',
}

function StepPair({ step }: { readonly step: ComparedStep }) {
  const { left, right, difference } = step
  return (
    <Pair
      difference={difference}
      left={left === undefined ? null : <Step step={left} />}
      right={right === undefined ? null : <Step step={right} />}
    />
  )
}

function Step({ step }: { readonly step: NonNullable<ComparedStep['left']> }) {
  return (
    <>
      <span className={step.tone === 'bad' ? 'bad' : ''}>
        <Foreign text={step.title} max={160} />
      </span>
      {step.gist === '' ? null : (
        <code className="clip" title={plainText(step.gist, 2000)}>
          {plainText(step.gist, 300)}
        </code>
      )}
    </>
  )
}

function Field({ name, value }: { readonly name: string; readonly value: unknown }) {
  return (
    <>
      <span className="soft">{plainText(name, 60)}</span>
      {value === undefined ? (
        <span className="soft">is not there</span>
      ) : (
        <code>{plainValue(value, 400)}</code>
      )}
    </>
  )
}

/** What both have at the same place. What differs is said in words as well as by its colour. */
function Pair(props: {
  readonly difference: StepDifference
  readonly left: React.ReactNode
  readonly right: React.ReactNode
}) {
  const { difference, left, right } = props
  const isDifferent = difference !== 'none'
  return (
    <div className={isDifferent ? 'compare-pair is-different' : 'compare-pair'}>
      <span className="compare-cell">{left === null ? <span className="soft">–</span> : left}</span>
      <span className="compare-sign">
        {isDifferent ? (
          <>
            <span aria-hidden="true">≠</span>
            <span className="visually-hidden">{differenceWords[difference]}: </span>
          </>
        ) : (
          <span aria-hidden="true" className="soft">
            =
          </span>
        )}
      </span>
      <span className="compare-cell">
        {right === null ? <span className="soft">–</span> : right}
      </span>
    </div>
  )
}

/** How a state was left, in a few words. */
export function exitWords(stay: ComparedRow['left']): string {
  if (stay === undefined) return 'was not here'
  const { exit } = stay
  if (exit === undefined) return 'still here'
  return plainText(exit.to === '' ? exit.event : `${exit.event} → ${exit.to}`, 120)
}
