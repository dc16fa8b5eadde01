import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { ProcessDefinition } from '../process/process-schema.ts'
import { checkCapabilities, checkPolicy } from './check-policy.ts'
import { boundedHints } from './scene.ts'

/** Looks for what a schema cannot see in a parsed process (PR-1, PR-3). */
export function checkProcess(definition: ProcessDefinition): Finding[] {
  return [
    ...checkStates(definition),
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
  return findings.length > 0 ? findings : unreachableStates(definition)
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
