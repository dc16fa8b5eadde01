import type { Activity, ActivitySlot } from '@statewright/core/wire'
import { axisTick, niceTimeCeil, slotWords, tookWords } from '../../model/words/activity-words.ts'
import { usd } from '../../model/words/words.ts'
import { BarChart, LineChart, type Slot } from '../../ui/charts/bars.tsx'

const decisions = [
  { name: 'Denied', tone: 'bad' },
  { name: 'Asked', tone: 'wait' },
  { name: 'Allowed', tone: 'soft' },
] as const

const moves = [
  { name: 'Refused', tone: 'bad' },
  { name: 'Transitions', tone: 'accent' },
] as const

export function Charts({ activity }: { readonly activity: Activity }) {
  const starts = activity.slots.map(({ at }) => at)
  const slots = (values: (slot: ActivitySlot) => readonly number[]): readonly Slot[] =>
    activity.slots.map((slot, index) => {
      const { long } = slotWords(slot.at, activity.slot_ms)
      const tick = axisTick(starts, index, activity.slot_ms)
      return {
        label: long,
        values: values(slot),
        ...(tick === null ? {} : { tick }),
      }
    })
  return (
    <div className="charts">
      <section className="panel body">
        <BarChart
          title="Calls, by what was decided"
          series={decisions}
          slots={slots(({ denied, asked, allowed }) => [denied, asked, allowed])}
        />
      </section>
      <section className="panel body">
        <BarChart
          title="Moves between states"
          series={moves}
          slots={slots(({ refused, transitioned }) => [refused, transitioned])}
        />
      </section>
      <section className="panel body">
        <LineChart
          title="Time until a person answered (median)"
          series={[{ name: 'Wait', tone: 'wait' }]}
          slots={slots(({ approval_wait_ms: wait }) => [wait ?? Number.NaN])}
          show={(ms) => (ms === 0 ? '0' : tookWords(Math.round(ms)))}
          ceil={niceTimeCeil}
        />
      </section>
      <section className="panel body">
        <BarChart
          title="Cost"
          series={[{ name: 'Cost', tone: 'accent' }]}
          slots={slots(({ cost_usd: cost }) => [cost])}
          show={usd}
        />
      </section>
    </div>
  )
}
