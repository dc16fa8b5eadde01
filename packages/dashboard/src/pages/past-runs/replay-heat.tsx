import { checkDefinition, definitionIn } from '@statewright/core/internal'
import type { ReplayReport } from '@statewright/core/wire'
import { useMemo } from 'react'
import { runGraph } from '../../model/diagram/run-graph.ts'
import { runMarks } from '../../model/diagram/run-marks.ts'
import { StateDiagram } from '../diagram/state-diagram.tsx'
import { stateChanges } from './state-changes.ts'

/** Where in the machine the tried rules would have decided otherwise. */
export function ReplayHeat(props: { readonly text: string; readonly report: ReplayReport }) {
  const { text, report } = props
  const definition = useMemo(() => definitionIn(checkDefinition(text)), [text])
  const graph = useMemo(
    () => (definition === undefined ? null : runGraph(definition)),
    [definition],
  )
  const changes = useMemo(() => stateChanges(report), [report])
  const marks = useMemo(
    () => ({ ...runMarks('', undefined, [], graph), changes }),
    [graph, changes],
  )
  if (graph === null || changes.size === 0) return null
  return (
    <section aria-label="Where it would change" className="replay-heat">
      <StateDiagram graph={graph} marks={marks} chosen={[...changes.keys()][0]} />
    </section>
  )
}
