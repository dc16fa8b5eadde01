import { Link } from '@tanstack/react-router'
import { useMemo } from 'react'
import {
  type ComparedRow,
  type Comparison,
  compareRuns,
  type Side,
} from '../../model/history/compare/compare-runs.ts'
import type { Fold } from '../../model/history/fold.ts'
import { plainText } from '../../model/words/plain-text.ts'
import { count, shortId, usd } from '../../model/words/words.ts'
import { StatusBadge } from '../../ui/values/status-badge.tsx'
import { StateDiagram } from '../diagram/state-diagram.tsx'
import { useFold, useMoment } from '../run/use-moment.ts'
import { ComparedRows, exitWords } from './compared-rows.tsx'
import type { LoadedRun } from './use-run.ts'

/** Both pictures, the sentence that says where they part, and the rows. */
export function ComparedRuns(props: {
  readonly left: LoadedRun
  readonly right: LoadedRun
  readonly row: number | undefined
  readonly onRow: (row: number | undefined) => void
}) {
  const { left, right, row, onRow } = props
  const isLong = [left, right].some(({ entries }) => (entries[0]?.seq ?? 1) !== 1)
  const folds = {
    left: useFold(left.read, isLong ? none : left.entries),
    right: useFold(right.read, isLong ? none : right.entries),
  }
  const compared = useMemo(() => compareRuns(folds.left, folds.right), [folds.left, folds.right])
  const parting = compared.end.kind === 'same' ? undefined : compared.rows[compared.end.row]
  if (isLong) {
    return (
      <p className="note">
        One of them has more than 20,000 entries. That history is too long to compare here.
      </p>
    )
  }
  return (
    <div className="compare">
      <Verdict compared={compared} left={left} right={right} onRow={onRow} />
      <div className="compare-sides">
        {(['left', 'right'] as const).map((side) => (
          <SidePicture
            key={side}
            side={side}
            run={side === 'left' ? left : right}
            played={folds[side]}
            at={momentOf(compared, side === 'left' ? left : right, side, row)}
            chosen={parting?.state}
          />
        ))}
      </div>
      <ComparedRows compared={compared} chosen={row} onRow={onRow} />
    </div>
  )
}

const none: LoadedRun['entries'] = []

/** The number of the entry that a side shows for a row: where it stood last, if not in it. */
function momentOf(
  { rows }: Comparison,
  run: LoadedRun,
  side: Side,
  row: number | undefined,
): number | undefined {
  if (row === undefined) return undefined
  const stay = rows.slice(0, row + 1).findLast((one) => one[side] !== undefined)?.[side]
  return stay === undefined ? run.entries[0]?.seq : run.entries[stay.last]?.seq
}

function Verdict(props: {
  readonly compared: Comparison
  readonly left: LoadedRun
  readonly right: LoadedRun
  readonly onRow: (row: number | undefined) => void
}) {
  const { compared, left, right, onRow } = props
  const { end, rows, firstDifference } = compared
  const at = end.kind === 'same' ? undefined : rows[end.row]
  const tone = end.kind === 'parted' ? 'bad' : end.kind === 'further' ? 'wait' : 'good'
  const first = firstDifference === undefined ? undefined : rows[firstDifference]
  const differences = rows.reduce((sum, row) => sum + row.differences, 0)
  const isOther = left.now.program_hash !== right.now.program_hash
  return (
    <section className={`note ${tone} compare-verdict`} aria-label="Where they differ">
      <p>
        <strong>{verdictWords(compared)}</strong> {at === undefined ? null : <Exits row={at} />}
      </p>
      <p className="row tight">
        {differences === 0 ? 'No difference at all.' : `${count(differences, 'difference')}.`}
        {first === undefined || first === at ? null : (
          <span>
            The first one is in <bdi>{plainText(first.state, 60)}</bdi>.
          </span>
        )}
        {isOther ? <span>They use different versions of their workflow.</span> : null}
        {end.kind === 'same' ? null : (
          <button type="button" className="button small" onClick={() => onRow(end.row)}>
            Show where they differ
          </button>
        )}
        {firstDifference === undefined || first === at ? null : (
          <button type="button" className="button small" onClick={() => onRow(firstDifference)}>
            Show the first difference
          </button>
        )}
      </p>
    </section>
  )
}

function Exits({ row }: { readonly row: ComparedRow }) {
  return (
    <span className="compare-exits">
      <span>
        left: <code>{exitWords(row.left)}</code>
      </span>
      <span>
        right: <code>{exitWords(row.right)}</code>
      </span>
    </span>
  )
}

function verdictWords({ end, rows }: Comparison): string {
  if (end.kind === 'same') return 'Both took the same path.'
  const state = plainText(rows[end.row]?.state ?? '', 60)
  if (end.kind === 'further') return `Same path so far; the ${end.side} one went on from ${state}.`
  return end.row === 0 && (rows[0]?.left === undefined || rows[0].right === undefined)
    ? 'They began in different states.'
    : `They differ from ${state} on.`
}

function SidePicture(props: {
  readonly side: Side
  readonly run: LoadedRun
  readonly played: Fold
  readonly at: number | undefined
  readonly chosen: string | undefined
}) {
  const { side, run, played, at, chosen } = props
  const moment = useMoment({ ...run, at, played })
  const { now, runId } = run
  return (
    <section className="panel compare-side" aria-label={`Run on the ${side}`}>
      <header>
        <h2>
          <Link to="/runs/$runId" params={{ runId }} search={at === undefined ? {} : { at }}>
            <bdi>{plainText(now.workflow, 60)}</bdi>{' '}
            <span className="mono small-text">{shortId(runId)}</span>
          </Link>
        </h2>
        <span className="row tight small-text">
          <StatusBadge status={now.status} />
          <span>
            {now.version === null ? '' : `version ${now.version} · `}
            {count(now.calls, 'call')} ·{' '}
            <span className={now.denials > 0 ? 'bad' : ''}>{count(now.denials, 'denial')}</span>
            {` · ${usd(now.cost_usd)}`}
          </span>
        </span>
      </header>
      {moment.graph === null ? null : (
        <StateDiagram
          key={moment.choice.machine}
          graph={moment.graph}
          marks={moment.marks}
          chosen={chosen}
        />
      )}
    </section>
  )
}
