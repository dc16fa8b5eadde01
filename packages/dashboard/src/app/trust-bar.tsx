import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { usageQuery } from '../api/queries.ts'
import { trustQuery } from '../api/trust.ts'
import { count } from '../model/words.ts'
import { useFeedState } from './live-provider.tsx'

/** Can I trust this right now? One line on every page. */
export function TrustBar() {
  const trust = useQuery(trustQuery).data
  const usage = useQuery(usageQuery).data
  return (
    <section className="trust" aria-label="Protection">
      <LiveMark />
      {trust === undefined || trust === null ? null : (
        <Link to="/settings" className="trust-facts">
          <Mode mode={trust.mode} />
          <span className={`badge ${trust.level === 'L0' ? 'wait' : 'good'}`} title={trust.what}>
            {trust.level}
          </span>
          <Fault value={trust.unjudged} word="unjudged call" />
          <Fault value={trust.gaps} word="enforcement gap" />
        </Link>
      )}
      {usage === undefined ? null : (
        <span className="trust-usage soft">
          {count(usage.runs.running ?? 0, 'run')} running · {count(usage.denials, 'denial')}
        </span>
      )}
    </section>
  )
}

function LiveMark() {
  const state = useFeedState()
  const words = { connecting: 'Connecting', live: 'Live', lost: 'Not live, trying again' } as const
  return (
    <span className={`live ${state}`} role="status">
      <span aria-hidden="true" className="live-dot" />
      {words[state]}
    </span>
  )
}

function Mode({ mode }: { readonly mode: string }) {
  if (mode === 'enforce') return <span className="badge good">✓ enforcing</span>
  return <span className="badge wait">△ {mode === 'observe' ? 'observing only' : mode}</span>
}

function Fault({ value, word }: { readonly value: number; readonly word: string }) {
  if (value === 0) return <span className="soft trust-zero">{count(0, word)}</span>
  return <span className="badge bad">▲ {count(value, word)}</span>
}
