import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { Scene } from './scene.ts'

/** Invoked definitions that are not known. They may come later, so this only warns. */
export function checkInvokes({ definition, graph, known }: Scene): Finding[] {
  if (known === undefined) return []
  return graph.invokes
    .filter(({ invoke }) => invoke !== definition.id && known(invoke) === undefined)
    .map(({ invoke, path }) => {
      const message = `No workflow or process ${quote(invoke)} is known. A run needs it to start.`
      return finding('unknown_workflow', [...path, 'invoke'], message)
    })
}
