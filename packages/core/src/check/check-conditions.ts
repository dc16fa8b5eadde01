import { toolEntryFault } from '../call/tool-pattern.ts'
import {
  type Condition,
  compileCondition,
  conditionFault,
  triggerScope,
} from '../condition/condition.ts'
import { type Opens, openedByMissing } from '../condition/opens.ts'
import { listOf } from '../condition/rules.ts'
import type { CallRulesDefinition, MarkDefinition } from '../condition/schema.ts'
import type { Scope } from '../condition/variables.ts'
import { type Finding, finding, type Path } from '../definition/finding.ts'
import { didYouMean, quote } from '../definition/parse/wording.ts'
import type { WorkflowDefinition } from '../definition/workflow-schema.ts'
import type { Policy } from '../policy/policy-schema.ts'
import { argumentFindings } from './check-arguments.ts'
import type { CheckContext } from './check-context.ts'

/** Conditions that cannot be read, or that say something else than they seem to (FC-6, FC-15). */
export function checkConditions(check: CheckContext): Finding[] {
  const { definition } = check
  const known = namesOf(definition)
  const look = (position: ConditionText) => [
    ...conditionFindings(position, known),
    ...argumentsOf(position, check),
  ]
  return [
    ...factFindings(definition, look),
    ...markFindings(definition.marks, ['marks'], 'call', look),
    ...callFindings(definition.calls, ['calls'], look),
    ...Object.entries(definition.states).flatMap(([name, state]) =>
      callFindings(state.calls, ['states', name, 'calls'], look),
    ),
    ...guardFindings(definition, look),
    ...triggerFindings(definition, look),
    ...policyFindings(definition.policy, ['policy'], 'call', look),
  ]
}

/** The same for a policy that is attached to a project or role (FC-8). */
export function checkPolicyConditions(policy: Policy | undefined, path: Path): Finding[] {
  const known: KnownNames = { facts: [], marks: Object.keys(policy?.marks ?? {}) }
  const look = (position: ConditionText) => conditionFindings(position, known)
  return policyFindings(policy, path, 'attached', look)
}

/** One expression and where it stands. */
interface ConditionText {
  readonly text: string
  readonly path: Path
  readonly scope: Scope
  /** Tools that it is read for; none where it is read for no call. */
  readonly tools?: readonly string[]
  /** How it opens what it guards; left out where it opens nothing. */
  readonly opens?: Opens
  /** It answers yes or no. */
  readonly isTest?: boolean
}

type Look = (position: ConditionText) => Finding[]

interface KnownNames {
  readonly facts: readonly string[]
  readonly marks: readonly string[]
}

function namesOf({ facts, marks, policy }: WorkflowDefinition): KnownNames {
  return {
    facts: Object.keys(facts ?? {}),
    marks: [...Object.keys(marks ?? {}), ...Object.keys(policy?.marks ?? {})],
  }
}

function conditionFindings(position: ConditionText, known: KnownNames): Finding[] {
  const { text, path, scope, opens, isTest = true } = position
  const fault = conditionFault(text, scope)
  if (fault !== undefined) {
    const at = text.slice(fault.start, fault.end).trim()
    const where = at === '' || at === text.trim() ? '' : ` (at ${quote(at)})`
    return [
      finding('invalid_condition', path, `The condition cannot be read: ${fault.message}${where}.`),
    ]
  }
  const condition = compileCondition(text, path.join('.'), scope)
  const { type, ast } = condition.expression
  if (isTest && type !== 'bool' && type !== 'dyn') {
    return [
      finding('invalid_condition', path, `The condition must be true or false, but is a ${type}.`),
    ]
  }
  const opened = opens === undefined ? undefined : openedByMissing(ast, opens)
  return [
    ...unknownNames(condition, path, known),
    ...(opened === undefined
      ? []
      : [finding('fact_opens', path, factOpens(text.slice(opened.start, opened.end)))]),
  ]
}

function factOpens(part: string): string {
  const why = `Until the fact is known, ${quote(part)} lets calls through.`
  return `${why} Use a mark for what must stay denied.`
}

function unknownNames({ reads }: Condition, path: Path, known: KnownNames): Finding[] {
  const missing = (kind: 'fact' | 'mark', names: readonly string[], all: readonly string[]) =>
    names
      .filter((name) => !all.includes(name))
      .map((name) => {
        const message = `There is no ${kind} ${quote(name)}.${didYouMean(name, all)}`
        return finding(`unknown_${kind}`, path, message)
      })
  return [
    ...missing('fact', reads.facts, known.facts),
    ...missing('mark', reads.marks, known.marks),
  ]
}

function argumentsOf(
  { text, path, scope, tools = [] }: ConditionText,
  check: CheckContext,
): Finding[] {
  if (scope === 'guard' || conditionFault(text, scope) !== undefined) return []
  return argumentFindings(compileCondition(text, path.join('.'), scope), path, tools, check)
}

function factFindings({ facts }: WorkflowDefinition, look: Look): Finding[] {
  return Object.entries(facts ?? {}).flatMap(([name, fact]) => {
    const path = ['facts', name]
    const tools = listOf(fact.from)
    const expressions = (['when', 'each', 'key', 'value'] as const).flatMap((field) => {
      const text = fact[field]
      const position = { path: [...path, field], scope: 'result', tools } as const
      return text === undefined ? [] : look({ ...position, text, isTest: field === 'when' })
    })
    const needsKey = fact.each !== undefined && fact.key === undefined
    return [
      ...expressions,
      ...toolFindings(fact.from, [...path, 'from']),
      ...(fact.forget_on === undefined ? [] : toolFindings(fact.forget_on, [...path, 'forget_on'])),
      ...(needsKey
        ? [finding('invalid_condition', path, '"each" needs a "key" that tells its items apart.')]
        : []),
    ]
  })
}

function markFindings(
  marks: Readonly<Record<string, MarkDefinition>> | undefined,
  path: Path,
  scope: Scope,
  look: Look,
): Finding[] {
  return Object.entries(marks ?? {}).flatMap(([name, { on, when }]) => [
    ...toolFindings(on, [...path, name, 'on']),
    ...(when === undefined
      ? []
      : look({ text: when, path: [...path, name, 'when'], scope, tools: listOf(on) })),
  ])
}

function callFindings(calls: CallRulesDefinition | undefined, path: Path, look: Look): Finding[] {
  return Object.entries(calls ?? {}).flatMap(([tool, rules]) => [
    ...toolFindings(tool, [...path, tool]),
    ...rules.flatMap(({ require, message }, index) => {
      const position = [...path, tool, index]
      return [
        ...look({
          text: require,
          path: [...position, 'require'],
          scope: 'call',
          tools: [tool],
          opens: 'by_true',
        }),
        ...(message === undefined
          ? [finding('condition_without_message', position, wordless)]
          : []),
      ]
    }),
  ])
}

const wordless =
  'Without a "message" the agent reads only the condition. Say what the agent should do.'

function guardFindings({ guards }: WorkflowDefinition, look: Look): Finding[] {
  return Object.entries(guards ?? {}).flatMap(([name, guard]) =>
    'when' in guard
      ? look({ text: guard.when, path: ['guards', name, 'when'], scope: 'guard', opens: 'by_true' })
      : [],
  )
}

function triggerFindings({ interrupts }: WorkflowDefinition, look: Look): Finding[] {
  return Object.entries(interrupts ?? {}).flatMap(([name, { trigger }]) => {
    const path = ['interrupts', name, 'trigger']
    const { file_pattern, tool, when } = trigger
    if (file_pattern === undefined && tool === undefined) {
      const message = 'A trigger needs "file_pattern", "tool" or both.'
      return [finding('missing_field', path, message)]
    }
    const tools = tool === undefined ? [] : listOf(tool)
    return [
      ...(tool === undefined ? [] : toolFindings(tool, [...path, 'tool'])),
      ...(when === undefined
        ? []
        : look({ text: when, path: [...path, 'when'], scope: triggerScope(when), tools })),
    ]
  })
}

function policyFindings(
  policy: Policy | undefined,
  path: Path,
  scope: Scope,
  look: Look,
): Finding[] {
  if (policy === undefined) return []
  const rules = (['deny', 'ask', 'allow'] as const).flatMap((list) =>
    (policy[list] ?? []).flatMap(({ when }, index) => {
      if (when === undefined) return []
      const opens: Opens = list === 'allow' ? 'by_true' : 'by_false'
      return look({ text: when, path: [...path, list, index, 'when'], scope, opens })
    }),
  )
  return [...rules, ...markFindings(policy.marks, [...path, 'marks'], scope, look)]
}

function toolFindings(tools: string | readonly string[], path: Path): Finding[] {
  return listOf(tools).flatMap((tool, index) => {
    const fault = toolEntryFault(tool)
    if (fault === undefined) return []
    const position = typeof tools === 'string' ? path : [...path, index]
    return [finding('invalid_tool_pattern', position, `${quote(tool)}: ${fault}.`)]
  })
}
