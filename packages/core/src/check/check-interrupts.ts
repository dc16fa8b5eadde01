import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'
import { handlerStates } from './check-returns.ts'

/** Interrupts that end the run, never come back or never fire (WF-3, WF-28, WF-29). */
export function checkInterrupts({ definition, graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  const seen = new Map<string, string>()
  for (const [name, { trigger, target }] of Object.entries(definition.interrupts ?? {})) {
    const path = ['interrupts', name]
    const state = graph.states.get(target)
    if (state?.type === 'final') {
      const message = `A change of ${quote(trigger.file_pattern)} ends the run in ${quote(target)}.`
      findings.push(finding('interrupt_ends_run', [...path, 'target'], message))
    } else if (state !== undefined && !canReturn(graph, target)) {
      const message = `Nothing in ${quote(target)} leads to "$return": the detour never comes back.`
      findings.push(finding('interrupt_without_return', [...path, 'target'], message))
    }
    // Which files count beside those of edits is a part of the pattern.
    const key = `${trigger.shell === true} ${trigger.file_pattern}`
    const earlier = seen.get(key) ?? seen.get(`true ${trigger.file_pattern}`)
    if (earlier === undefined) seen.set(key, name)
    else {
      const message = `It never fires: ${quote(earlier)} has the same pattern and comes first.`
      findings.push(finding('interrupt_never_fires', path, message))
    }
  }
  return findings
}

function canReturn(graph: CheckContext['graph'], target: string): boolean {
  return [...handlerStates(graph, [target])].some((name) => graph.offersReturn.has(name))
}
