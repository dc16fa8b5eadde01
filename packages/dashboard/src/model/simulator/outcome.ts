import type { Simulated } from '@statewright/core/internal'

/** What came of the last thing that was tried, in lines to be shown. */
export interface Outcome {
  readonly tone: 'good' | 'bad' | 'wait' | 'soft'
  readonly title: string
  readonly lines: readonly string[]
}

export function outcomeOf({ last }: Simulated): Outcome {
  const { answer, refusal } = last
  if (refusal !== undefined) {
    const ways = refusal.events.map((way) => `${way.event} -> ${way.target}`)
    const saw = (refusal.guards ?? [])
      .filter((guard) => !guard.passed)
      .map((guard) => `${guard.guard} needs ${guard.wants}, but it is ${JSON.stringify(guard.saw)}`)
    const lines = [refusal.message, ...saw, `Events here: ${ways.join(', ') || 'none'}`]
    return { tone: 'bad', title: `refused: ${refusal.code}`, lines }
  }
  switch (answer.type) {
    case 'started':
      return { tone: 'soft', title: `started in ${answer.state}`, lines: [] }
    case 'decided':
      return decisionOutcome(answer.decision, answer.notices)
    case 'moved':
      return {
        tone: 'good',
        title: `${answer.event}: ${answer.from} -> ${answer.to}`,
        lines: answer.warning === undefined ? [] : [answer.warning],
      }
    case 'pending_approval':
      return { tone: 'wait', title: 'waits for a person', lines: [answer.message] }
    case 'approval_ended':
      return { tone: 'soft', title: `approval ended: ${answer.verdict}`, lines: [] }
    case 'recorded':
      return { tone: 'soft', title: 'recorded', lines: answer.notices }
  }
}

type Decided = Extract<Simulated['last']['answer'], { type: 'decided' }>

function decisionOutcome(decision: Decided['decision'], notices: readonly string[]): Outcome {
  const lines = decision.reasons.map((why) => `${why.code}: ${why.message} (${why.path})`)
  if (decision.kind === 'allow') return { tone: 'good', title: 'allowed', lines: [...notices] }
  const tools = decision.allowedTools?.join(', ') || 'none'
  if (decision.allowedTools !== null) lines.push(`Tools here: ${tools}`)
  if (decision.way !== undefined) {
    const path = decision.way.map((way) => `${way.event} -> ${way.target}`).join(', ')
    lines.push(`Path to a state that allows it: ${path}`)
  }
  const title = decision.kind === 'ask' ? 'a person is asked' : `denied: ${decision.code}`
  return { tone: decision.kind === 'ask' ? 'wait' : 'bad', title, lines: [...lines, ...notices] }
}
