import type { Activity } from '@statewright/core/wire'
import { Link } from '@tanstack/react-router'
import { type Ranked, RankList } from '../../ui/charts/rank-list.tsx'
import { Foreign } from '../../ui/values/foreign-text.tsx'

/** The server names more states than a list of the worst has room for. */
const maxStates = 10

/** The same denials, by rule, state, tool and code; each leads to the newest run that had it. */
export function Rankings({ denials }: { readonly denials: Activity['denials'] }) {
  return (
    <div className="charts">
      <Ranking
        title="Denials by state"
        items={denials.places.slice(0, maxStates).map(({ workflow, state, count, run_id }) => ({
          key: `${workflow} ${state}`,
          name: <Foreign text={state} max={80} />,
          detail: <Foreign text={`in ${workflow}`} max={80} />,
          value: count,
          run_id,
        }))}
      />
      <Ranking
        title="Denials by rule"
        items={denials.rules.map(({ workflow, rule, code, count, run_id }) => ({
          key: `${workflow} ${rule} ${code}`,
          name: <Foreign text={rule === '' ? code : rule} max={120} />,
          detail: <Foreign text={rule === '' ? workflow : `${code}, ${workflow}`} max={120} />,
          value: count,
          run_id,
        }))}
      />
      <Ranking
        title="Denials by tool or event"
        items={denials.tools.map(({ tool, code, count, run_id }) => ({
          key: `${tool} ${code}`,
          name: <Foreign text={tool} max={80} />,
          detail: code,
          value: count,
          run_id,
        }))}
      />
      <Ranking
        title="Denials by code"
        items={denials.codes.map(({ code, count, run_id }) => ({
          key: code,
          name: <code>{code}</code>,
          value: count,
          run_id,
        }))}
      />
    </div>
  )
}

function Ranking(props: {
  readonly title: string
  readonly items: readonly (Ranked & { readonly run_id: string })[]
}) {
  const { title, items } = props
  return (
    <section className="panel">
      <header>
        <h2>{title}</h2>
      </header>
      <div className="body">
        <RankList
          label={title}
          items={items.map(({ run_id, name, ...item }) => ({
            ...item,
            name: (
              <Link to="/runs/$runId" params={{ runId: run_id }} title="The newest run that had it">
                {name}
              </Link>
            ),
          }))}
        />
      </div>
    </section>
  )
}
