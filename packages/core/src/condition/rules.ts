import { compileToolList, type ToolList } from '../call/tool-pattern.ts'
import { type Condition, compileCondition } from './condition.ts'
import type { CallRulesDefinition, FactDefinition, MarkDefinition } from './schema.ts'
import type { Scope } from './variables.ts'

/** Something that results teach (FC-2). */
export interface MachineFact {
  readonly name: string
  readonly path: string
  readonly from: ToolList
  /** The tools as they are written, for anyone who must call one first. */
  readonly teachers: readonly string[]
  readonly when: Condition | null
  readonly each: Condition | null
  readonly key: Condition | null
  readonly value: Condition | null
  readonly forgetOn: ToolList | null
  readonly expiresMs: number | null
  readonly isPrivate: boolean
}

/** Something that a call does, for good (FC-5). */
export interface MachineMark {
  readonly name: string
  readonly path: string
  readonly on: ToolList
  readonly when: Condition | null
}

/** What must hold for calls of some tools. */
export interface CallRule {
  readonly path: string
  readonly tool: string
  readonly tools: ToolList
  readonly require: Condition
  readonly message: string | null
}

export function compileFacts(
  facts: Readonly<Record<string, FactDefinition>> | undefined,
): readonly MachineFact[] {
  return Object.entries(facts ?? {}).map(([name, fact]) => {
    const path = `facts.${name}`
    const part = (field: 'when' | 'each' | 'key' | 'value') => {
      const text = fact[field]
      return text === undefined ? null : compileCondition(text, `${path}.${field}`, 'result')
    }
    const teachers = listOf(fact.from)
    return {
      name,
      path,
      from: compileToolList(teachers),
      teachers,
      when: part('when'),
      each: part('each'),
      key: part('key'),
      value: part('value'),
      forgetOn: fact.forget_on === undefined ? null : compileToolList(listOf(fact.forget_on)),
      expiresMs: fact.expires === undefined ? null : durationMs(fact.expires),
      isPrivate: fact.private === true,
    }
  })
}

export function compileMarks(
  marks: Readonly<Record<string, MarkDefinition>> | undefined,
  path: string,
  scope: Scope,
): readonly MachineMark[] {
  return Object.entries(marks ?? {}).map(([name, { on, when }]) => ({
    name,
    path: `${path}.${name}`,
    on: compileToolList(listOf(on)),
    when: when === undefined ? null : compileCondition(when, `${path}.${name}.when`, scope),
  }))
}

export function compileCallRules(
  calls: CallRulesDefinition | undefined,
  path: string,
): readonly CallRule[] {
  return Object.entries(calls ?? {}).flatMap(([tool, rules]) => {
    const tools = compileToolList([tool])
    return rules.map(({ require, message }, index) => ({
      path: `${path}.${tool}.${index}`,
      tool,
      tools,
      require: compileCondition(require, `${path}.${tool}.${index}.require`, 'call'),
      message: message ?? null,
    }))
  })
}

export function listOf(tools: string | readonly string[]): readonly string[] {
  return typeof tools === 'string' ? [tools] : tools
}

const units: Readonly<Record<string, number>> = {
  s: 1000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
}

/** Of a text such as `10m`, as definitions and scenarios write it. */
export function durationMs(text: string): number {
  return Number(text.slice(0, -1)) * (units[text.slice(-1)] ?? 0)
}
