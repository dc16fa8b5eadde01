import type { JsonObject } from '@statewright/core/internal'
import fc from 'fast-check'
import { choice, pick } from './pick.ts'
import { policy } from './workflow-fields.ts'

export const answerNames = ['yes', 'no', 'No', 'toString'] as const

const answer = fc.record({ name: choice, next: choice, action: choice })

/** A process that parses and checks without errors. */
export function process(name: string): fc.Arbitrary<JsonObject> {
  return fc
    .record({
      states: fc.array(fc.array(answer, { maxLength: 3 }), { minLength: 1, maxLength: 3 }),
      budget: choice,
      gate: choice,
      mail: choice,
      policy: fc.option(policy, { nil: undefined }),
    })
    .map((by): JsonObject => {
      const names = by.states.map((_, index) => `q${index}`)
      return {
        name,
        initial: 'q0',
        initial_prompt: 'Begin.',
        ...(by.budget % 4 === 3 ? { session_budget_usd: 0.001 } : {}),
        ...(by.gate % 3 === 2 ? { gate: ['bash', 'mcp:fs:*'] } : {}),
        ...(by.mail % 2 === 1 ? { email_config: { max_emails_per_session: 1 } } : {}),
        ...(by.policy === undefined ? {} : { policy: by.policy as unknown as JsonObject }),
        states: Object.fromEntries(
          by.states.map((answers, index) => [
            `q${index}`,
            {
              question: `Question ${index}?`,
              answers: Object.fromEntries(
                answers.map((one) => [
                  pick(answerNames, one.name),
                  {
                    next: pick([...names, null], one.next),
                    ...actionOf(one.action),
                  },
                ]),
              ),
            },
          ]),
        ),
      }
    })
}

function actionOf(by: number): JsonObject {
  const action = pick([null, 'warn', 'notify_human', 'block', null, 'complete', null], by)
  return action === null ? {} : { action }
}
