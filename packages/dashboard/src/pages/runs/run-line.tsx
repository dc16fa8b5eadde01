import type { RunLine, StuckRun } from '@statewright/core/wire'
import { memo } from 'react'
import { plainText } from '../../model/words/plain-text.ts'
import { count, shortId, usd } from '../../model/words/words.ts'
import { Mark } from '../../ui/values/mark.tsx'
import { StatusBadge, UnguardedBadge } from '../../ui/values/status-badge.tsx'
import { Ago } from '../../ui/values/when.tsx'

/**
 * One run in the list. It is drawn again only when its row is another. A plain link, since dozens
 * of them are made on each turn of the wheel: the list follows it without loading the page again.
 */
export const RunRow = memo(function RunRow(props: {
  readonly run: RunLine
  readonly stuck: StuckRun | undefined
  readonly isChosen: boolean
}) {
  const { run, stuck, isChosen } = props
  return (
    <a
      href={`/runs/${encodeURIComponent(run.run_id)}`}
      data-run={run.run_id}
      className={isChosen ? 'run-line is-chosen' : 'run-line'}
    >
      <span className="run-status">
        <StatusBadge status={run.status} />
      </span>
      <span className="run-name">
        <bdi className="clip">{plainText(run.workflow, 80)}</bdi>
        <span className="soft mono small-text">{shortId(run.run_id)}</span>
      </span>
      <span className="clip run-state">
        <States state={run.state} />
        {run.unguarded === true ? <UnguardedBadge /> : null}
        {run.passed === undefined || run.passed === 0 ? null : (
          <span className="badge wait" title="Observed only: the rules would have stopped them.">
            {count(run.passed, 'call')} passed
          </span>
        )}
        {stuck === undefined ? null : (
          <span className="badge bad" title={`${stuck.tool}: ${stuck.code}, ${stuck.times} times`}>
            <Mark name="retry" />
            stuck
          </span>
        )}
      </span>
      <span className="clip soft run-client">
        <bdi>{plainText(run.client ?? run.agent_name ?? '–', 40)}</bdi>
      </span>
      <span className="right number">
        <span className="run-word">calls </span>
        {run.calls}
      </span>
      <span className={run.denials > 0 ? 'right number bad' : 'right number soft'}>
        <span className="run-word">denials </span>
        {run.denials}
      </span>
      <span className="right number soft">{usd(run.cost_usd)}</span>
      <span className="right soft run-when">
        <Ago at={run.updated_at} />
      </span>
    </a>
  )
})

/** Where it stands: of a forked run each branch, told apart by more than a letter between them. */
function States({ state }: { readonly state: string }) {
  const lanes = state.split(' | ')
  if (lanes.length === 1) return <bdi className="clip">{plainText(state, 80)}</bdi>
  return (
    <span className="clip run-lanes" title={plainText(lanes.join('\n'), 2000)}>
      <Mark name="branch" />
      {lanes.map((lane, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two branches may stand in one state.
        <bdi key={at}>{plainText(lane, 80)}</bdi>
      ))}
    </span>
  )
}
