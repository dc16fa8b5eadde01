import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'
import { boundedHints } from './check-context.ts'
import { checkCapabilities, checkPolicy } from './check-policy.ts'

/** Looks for what a schema cannot see in a parsed process (PR-1, PR-3). */
export function checkProcess(definition: ProcessDefinition): Finding[] {
  return [
    ...checkStates(definition),
    ...checkTools(definition),
    ...checkPolicy(definition.policy, ['policy']),
    ...checkCapabilities(definition.gate, ['gate']),
  ]
}

function checkStates(definition: ProcessDefinition): Finding[] {
  const findings: Finding[] = []
  const states = new Map(Object.entries(definition.states))
  const hint = boundedHints()
  const unknown = (name: string) => `There is no state ${quote(name)}.${hint(name, states.keys())}`
  if (!states.has(definition.initial)) {
    findings.push(finding('unknown_initial', ['initial'], unknown(definition.initial)))
  }
  for (const [name, { answers }] of states) {
    for (const [answer, { next }] of Object.entries(answers ?? {})) {
      if (next === null || states.has(next)) continue
      const path = ['states', name, 'answers', answer, 'next']
      findings.push(finding('unknown_target', path, unknown(next)))
    }
  }
  if (findings.length > 0) return findings
  return [...unreachableStates(definition), ...endlessStates(definition)]
}

/** States from which no answer ever leads to an end. */
function endlessStates({ states }: ProcessDefinition): Finding[] {
  const ends = new Set<string>()
  for (let before = -1; before < ends.size; ) {
    before = ends.size
    for (const [name, { answers = {} }] of Object.entries(states)) {
      const all = Object.values(answers)
      const canEnd = all.some(
        ({ next, action }) =>
          next === null || action === 'block' || action === 'complete' || ends.has(next),
      )
      if (canEnd || all.length === 0) ends.add(name)
    }
  }
  return Object.keys(states)
    .filter((name) => !ends.has(name))
    .map((name) => {
      const message = `No answers lead from ${quote(name)} to an end.`
      return finding('no_way_to_final', ['states', name], message)
    })
}

/** Who lists tools and leaves out the one that answers has a process that stands still. */
function checkTools({ allowed_tools: tools }: ProcessDefinition): Finding[] {
  const offers = (entry: string) =>
    entry.endsWith('*') ? 'process_step'.startsWith(entry.slice(0, -1)) : entry === 'process_step'
  if (tools === undefined || tools.some(offers)) return []
  const message = 'Without "process_step" an agent at /mcp/process cannot answer.'
  return [finding('answers_not_offered', ['allowed_tools'], message)]
}

function unreachableStates(definition: ProcessDefinition): Finding[] {
  const states = new Map(Object.entries(definition.states))
  const reached = new Set<string>()
  const waiting = [definition.initial]
  for (let name = waiting.pop(); name !== undefined; name = waiting.pop()) {
    if (reached.has(name)) continue
    reached.add(name)
    for (const { next, action } of Object.values(states.get(name)?.answers ?? {})) {
      // These two end the run whatever stands behind them (PR-4).
      if (next !== null && action !== 'block' && action !== 'complete') waiting.push(next)
    }
  }
  return [...states.keys()]
    .filter((name) => !reached.has(name))
    .map((name) => {
      const message = `No answer leads to the state ${quote(name)}.`
      return finding('unreachable_state', ['states', name], message)
    })
}
