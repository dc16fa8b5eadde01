import type { Used } from '@statewright/core/wire'
import { perPeriod, usd } from '../../model/words/words.ts'
import { Meter } from '../../ui/charts/meter.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'
import { Left } from '../../ui/values/when.tsx'

/** How much of a rate or budget is used, and when it is whole again. */
export function UsageBar({ used, who }: { readonly used: Used; readonly who?: string }) {
  const { kind, max, resets_at: resets, free } = used
  const show = kind === 'budget' ? usd : (value: number) => String(value)
  return (
    <div className="usage">
      <div className="row spread small-text">
        <span>
          {who === undefined ? null : <Foreign text={`role ${who}: `} max={80} />}
          {show(used.used)} of {show(max)}{' '}
          {kind === 'rate' ? 'calls' : perPeriod(used.period ?? '')}
          {free ? '' : <strong className="bad"> used up</strong>}
        </span>
        <span className="soft">
          {resets === null ? (
            'unused'
          ) : (
            <>
              <Left until={Date.parse(resets)} /> until reset
            </>
          )}
        </span>
      </div>
      <Meter used={used.used} max={max} isFull={!free} />
    </div>
  )
}
