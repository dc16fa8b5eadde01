import { limits } from '../base/limits.ts'
import { type Finding, finding } from '../definition/finding.ts'
import { quote } from '../definition/parse/wording.ts'
import type { CheckContext } from './check-context.ts'

/** What is allowed and probably means something else to its author (WF-3, WF-15, WF-16). */
export function checkDoubts({ graph }: CheckContext): Finding[] {
  const findings: Finding[] = []
  for (const [name, state] of graph.states) {
    const path = ['states', name]
    if (state.type === 'final' && state.outcome === undefined && soundsLikeFailure(name)) {
      const message = `${quote(name)} counts as a success. For a failure, add "outcome": "failure".`
      findings.push(finding('outcome_unclear', path, message))
    }
    if (Object.hasOwn(state.on ?? {}, '*')) {
      const message =
        '"*" is an event with exactly this name. To catch other events use "safe_next".'
      findings.push(finding('event_wildcard', [...path, 'on', '*'], message))
    }
    if ((state.instructions?.length ?? 0) > limits.instructionLength) {
      const max = limits.instructionLength
      const message = `The agent reads only the first ${max} characters of the instructions.`
      findings.push(finding('instructions_cut', [...path, 'instructions'], message))
    }
  }
  return findings
}

/** Near the names that mean failure (WF-15), and none of them. */
const failing =
  /^(?:fail|fails|failing|gave_?up|give_?up|timeout|timed_?out|canceled|abort|abandoned)$/i
const failingEnd = /[_-](?:fail|failed|error|timeout)$/i

function soundsLikeFailure(name: string): boolean {
  return failing.test(name) || failingEnd.test(name)
}
