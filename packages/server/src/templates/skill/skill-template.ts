import { allowsTool, compileToolList, toolRef } from '@statewright/core/internal'
import type { Template } from '../read-templates.ts'
import { type Skill, slug } from './read-skill.ts'
import type { SkillStep } from './read-step.ts'

/** A workflow with one state for each step, and the scenarios and claims that hold it to that. */
export function skillTemplate(skill: Skill): Template {
  const states = skill.steps.map(stateName)
  return {
    name: skill.name,
    kind: 'workflow',
    description: skill.description,
    text: workflowText(skill, states),
    scenarios: scenarioText(skill, states),
  }
}

function stateName({ title }: SkillStep, index: number): string {
  const words = slug(title, '_', 40)
  return words === '' ? `step_${index + 1}` : `step_${index + 1}_${words}`
}

/**
 * Each step has an event of its own. With one for all, an answer that is sent twice would end two
 * steps.
 */
function doneEvent(index: number): string {
  return `STEP_${index + 1}_DONE`
}

function workflowText(
  { name, description, tools, steps }: Skill,
  states: readonly string[],
): string {
  const lines = [
    '# Made from a skill by "statewright init --from". One state for each step, in order.',
    '# Look through it before you rely on it.',
    `id: ${name}`,
    ...(description === '' ? [] : ['meta:', `  description: ${JSON.stringify(description)}`]),
    `initial: ${states[0]}`,
    'states:',
    ...steps.flatMap((step, index) => stateLines(step, { index, states, tools })),
    '  done: { type: final }',
  ]
  return `${lines.join('\n')}\n`
}

interface StateOptions {
  readonly index: number
  readonly states: readonly string[]
  readonly tools: readonly string[] | undefined
}

function stateLines(step: SkillStep, { index, states, tools }: StateOptions): string[] {
  const backs = step.backTo.map((to) => `      BACK_TO_STEP_${to}: ${states[to - 1]}`)
  return [
    `  ${states[index]}: # line ${step.line} of the skill`,
    ...(tools === undefined ? [] : [`    allowed_tools: ${JSON.stringify(tools)}`]),
    ...(step.commands.length === 0
      ? []
      : [
          '    # Commands that the step names. Without the #, no others run here.',
          `    # allowed_commands: ${JSON.stringify(step.commands)}`,
        ]),
    '    instructions: |-',
    ...step.instructions.split('\n').map((line) => (line === '' ? '' : `      ${line}`)),
    '    on:',
    `      ${doneEvent(index)}: ${states[index + 1] ?? 'done'}`,
    ...backs,
  ]
}

function scenarioText({ name, tools, steps }: Skill, states: readonly string[]): string {
  const all = [...states, 'done']
  const denied = tools === undefined ? undefined : deniedCall(tools)
  const lines = [
    `definition: ${name}.yaml`,
    'scenarios:',
    '  - name: the steps lead to the end, one after the other',
    '    steps:',
    ...steps.flatMap((_, index) => [
      `      - send: ${doneEvent(index)}`,
      `        state: ${all[index + 1]}`,
    ]),
    '      - status: completed',
    '  - name: no later step begins first',
    '    steps:',
    ...steps
      .slice(1)
      .flatMap((_, index) => [
        `      - send: ${doneEvent(index + 1)}`,
        '        code: unknown_event',
        `        state: ${states[0]}`,
      ]),
    ...(denied === undefined
      ? []
      : [
          '  - name: tools that the skill does not declare are denied',
          '    steps:',
          `      - tool: ${denied.tool}`,
          `        input: ${JSON.stringify(denied.input)}`,
          '        code: tool_not_allowed',
        ]),
    'claims:',
    ...all
      .slice(1)
      .flatMap((state, index) => [
        `  - name: ${nameOf(index + 1, steps.length)} needs step ${index + 1}`,
        `    never: { enter: ${state} }`,
        `    unless: { visited: ${states[index]} }`,
      ]),
    '  - can_always_reach: [done]',
  ]
  return `${lines.join('\n')}\n`
}

function nameOf(index: number, count: number): string {
  return index === count ? 'the end' : `step ${index + 1}`
}

const examples = [
  { tool: 'WebFetch', input: { url: 'https://example.com' } },
  { tool: 'WebSearch', input: { query: 'a' } },
  { tool: 'Write', input: { file_path: 'a.txt', content: 'a' } },
]

function deniedCall(tools: readonly string[]) {
  const list = compileToolList(tools)
  return examples.find(({ tool }) => !allowsTool(list, toolRef(tool)))
}
