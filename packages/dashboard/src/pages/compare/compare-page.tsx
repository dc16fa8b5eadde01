import { Link, useNavigate, useSearch } from '@tanstack/react-router'
import type { Side } from '../../model/history/compare/compare-runs.ts'
import { Page } from '../../ui/page/page.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'
import { ComparedRuns } from './compared-runs.tsx'
import { PickRun } from './pick-run.tsx'
import { useRun } from './use-run.ts'
import './compare.css'

/** Two runs side by side, aligned by state: where they part, and what else differs. */
export function ComparePage() {
  const { left, right, row } = useSearch({ from: '/compare' })
  const navigate = useNavigate()
  const leftRun = useRun(left)
  const rightRun = useRun(right)
  const missing: Side | undefined =
    left === undefined ? 'left' : right === undefined ? 'right' : undefined
  const pick = (side: Side, runId: string) =>
    void navigate({ to: '/compare', search: { left, right, [side]: runId } })
  const faults = [leftRun.fault, rightRun.fault].filter((fault) => fault !== undefined)
  return (
    <Page
      title="Compare two runs"
      subtitle="Side by side, aligned by state"
      actions={
        <>
          {left === undefined || right === undefined ? null : (
            <Link to="/compare" search={{ left: right, right: left }} className="button">
              Swap
            </Link>
          )}
          <Link to="/runs" className="button">
            All runs
          </Link>
        </>
      }
    >
      {faults.map((fault) => (
        <ProblemNote key={fault.message} problem={fault} />
      ))}
      {missing === undefined ? null : (
        <PickRun
          side={missing}
          other={left ?? right}
          workflow={(leftRun.loaded ?? rightRun.loaded)?.now.workflow}
          onPick={(runId) => pick(missing, runId)}
        />
      )}
      {leftRun.loaded !== undefined && rightRun.loaded !== undefined ? (
        <ComparedRuns
          key={`${left} ${right}`}
          left={leftRun.loaded}
          right={rightRun.loaded}
          row={row}
          onRow={(next) =>
            void navigate({
              to: '/compare',
              search: { left, right, ...(next === undefined ? {} : { row: next }) },
              replace: true,
            })
          }
        />
      ) : missing === undefined && faults.length === 0 ? (
        <p className="soft">Reading both histories…</p>
      ) : null}
    </Page>
  )
}
