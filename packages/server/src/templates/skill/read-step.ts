import { cut } from '@statewright/core/internal'
import { commandsOf } from './commands.ts'
import type { FoundStep, StepNote } from './find-steps.ts'
import { skillLimits } from './limits.ts'

export interface SkillStep {
  readonly line: number
  readonly title: string
  readonly instructions: string
  readonly commands: readonly string[]
  /** Steps before it that its text sends the agent back to. */
  readonly backTo: readonly number[]
}

interface ReadStep {
  readonly step: SkillStep
  readonly notes: readonly StepNote[]
}

export function readStep(found: FoundStep, index: number, all: readonly FoundStep[]): ReadStep {
  const { line, title } = found
  const number = index + 1
  const text = [title, ...found.lines].join('\n')
  const whole = text.replaceAll(/\n{3,}/g, '\n\n').trim() || `Step ${number}`
  const jumps = [...whole.matchAll(/\b(?:to|repeat|redo) (?:step|phase|stage) (\d{1,3})\b/gi)]
  const named = new Set(jumps.map(([, to]) => Number(to)))
  const targets = [...named].map((to) => all.findIndex((one) => one.number === to) + 1)
  const step = {
    line,
    title: cut(plainTitle(title), 80),
    instructions: cut(whole, skillLimits.instructions),
    commands: commandsOf(found),
    backTo: targets.filter((to) => to > 0 && to < number),
  }
  const forward = targets.filter((to) => to > number + 1)
  const messages = [
    ...(whole.length > skillLimits.instructions
      ? [`Step ${number} is long: only its first ${skillLimits.instructions} characters were used.`]
      : []),
    ...forward.map(
      (to) =>
        `Step ${number} mentions going to step ${to}. Steps run in order; none can be skipped.`,
    ),
    ...(asksPerson.test(whole)
      ? [`Step ${number} asks a person: consider requires_approval for its event.`]
      : []),
  ]
  return { step, notes: messages.map((message) => ({ line, message })) }
}

const asksPerson = new RegExp(
  [
    '\\bask (?:the )?(?:user|human|person)\\b',
    '\\bwait for (?:the user|approval|confirmation)\\b',
    '\\b(?:get|user) approval\\b|\\bconfirm with\\b',
  ].join('|'),
  'i',
)

/** What a step is called: its first clause, without the marks of Markdown. */
function plainTitle(title: string): string {
  const [, bold] = /^\*\*([^*]+)\*\*/.exec(title) ?? []
  const [clause = ''] = (bold ?? title).split(/[:;,.(\u2013\u2014](?:\s|$)| - /, 1)
  return clause
    .replaceAll(/[*_`]+/g, '')
    .replace(/[:.]\s*$/, '')
    .trim()
}
