import type { SpendSlot, Usage } from '@statewright/core/wire'
import { useState } from 'react'
import { usd } from '../../model/words/words.ts'
import { BarChart, type Slot } from '../../ui/charts/bars.tsx'
import { Toggle } from '../../ui/page/toggle.tsx'

const series = [{ name: 'Spend', tone: 'accent' }] as const

/** What was spent, by hour or by day. */
export function SpendChart({ spend }: { readonly spend: Usage['spend'] }) {
  const [by, setBy] = useState<'hours' | 'days'>('hours')
  const slots = spend[by]
  const total = slots.reduce((sum, { cost_usd }) => sum + cost_usd, 0)
  return (
    <section className="panel">
      <header>
        <h2>
          Spend <span className="soft small-text">{usd(total)} in all</span>
        </h2>
        <div className="row tight">
          {(['hours', 'days'] as const).map((unit) => (
            <Toggle key={unit} isOn={by === unit} onClick={() => setBy(unit)}>
              {unit === 'hours' ? '48 hours' : '31 days'}
            </Toggle>
          ))}
        </div>
      </header>
      <div className="body">
        <BarChart
          title={by === 'hours' ? 'Spend by hour' : 'Spend by day'}
          series={series}
          slots={slots.map((slot, index) => slotOf(slot, index, by))}
          show={usd}
        />
      </div>
    </section>
  )
}

function slotOf({ at, cost_usd }: SpendSlot, index: number, by: 'hours' | 'days'): Slot {
  const date = new Date(at)
  const every = by === 'hours' ? 8 : 5
  // Days are counted in UTC, as budgets are; hours are told by the clock on the wall.
  const day = { timeZone: 'UTC', day: 'numeric', month: 'short' } as const
  const short =
    by === 'hours'
      ? date.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' })
      : date.toLocaleDateString('en-GB', day)
  const label = by === 'hours' ? `${date.toLocaleDateString('en-GB')} ${short}` : short
  return { label, values: [cost_usd], ...(index % every === 0 ? { tick: short } : {}) }
}
