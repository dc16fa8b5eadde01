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
      const message = `${causeOf(trigger)} ends the run in ${quote(target)}.`
      findings.push(finding('interrupt_ends_run', [...path, 'target'], message))
    } else if (state !== undefined && !canReturn(graph, target)) {
      const message = `Nothing in ${quote(target)} leads to "$return": the detour never comes back.`
      findings.push(finding('interrupt_without_return', [...path, 'target'], message))
    }
    const earlier = wider(trigger)
      .map((one) => seen.get(triggerKey(one)))
      .find(isThere)
    if (earlier === undefined) seen.set(triggerKey(trigger), name)
    else {
      const message = `It never fires: ${quote(earlier)} has the same trigger and comes first.`
      findings.push(finding('interrupt_never_fires', path, message))
    }
  }
  return findings
}

type Trigger = NonNullable<CheckContext['definition']['interrupts']>[string]['trigger']

function causeOf({ file_pattern, tool }: Trigger): string {
  if (file_pattern !== undefined) return `A change of ${quote(file_pattern)}`
  return `A call of ${[tool ?? []].flat().join(' or ')}`
}

/** Which files count beside those of edits is a part of the trigger, as are tools and condition. */
function triggerKey({ file_pattern, tool, when, shell }: Trigger): string {
  const tools = tool === undefined ? null : [tool].flat().toSorted()
  return JSON.stringify([file_pattern ?? null, tools, when ?? null, shell === true])
}

/** What fires wherever a trigger does: without its condition, for files of commands too. */
function wider(trigger: Trigger): readonly Trigger[] {
  const { when: _, ...always } = trigger
  const both = [trigger, always]
  return [...both, ...both.map((one): Trigger => ({ ...one, shell: true }))]
}

function isThere(name: string | undefined): boolean {
  return name !== undefined
}

function canReturn(graph: CheckContext['graph'], target: string): boolean {
  return [...handlerStates(graph, [target])].some((name) => graph.offersReturn.has(name))
}
