import type { z } from 'zod'
import { unreachable } from '../../base/invariant.ts'
import { isJsonObject } from '../../base/json.ts'
import { limits } from '../../base/limits.ts'
import { nearestNames } from '../../base/nearest.ts'
import { type Finding, finding, type Path } from '../finding.ts'
import { rawAt } from './raw.ts'
import { knownFields } from './schema-walk.ts'
import { didYouMean, kindName, kindOf, listNames, quote } from './wording.ts'

/** The place of the choice between patterns that a path stands in, or undefined. */
export type ChoiceAt = (path: Path) => Path | undefined

/** Explains a choice between patterns by the one that its author meant. */
export interface Choices {
  readonly at: ChoiceAt
  readonly explain: (value: unknown, path: Path) => Finding[]
}

export const noChoices: Choices = { at: () => undefined, explain: () => [] }

export interface IssueSource {
  readonly schema: z.core.$ZodType
  /** What was parsed, and where it stands in the definition. */
  readonly value: unknown
  readonly at: Path
  readonly choices: Choices
}

/** Turns what Zod found into findings: all of them, in our words. */
export function issueFindings(issues: readonly z.core.$ZodIssue[], source: IssueSource): Finding[] {
  const explained = new Set<string>()
  // Not `push(...found)`: one issue may bring more findings than a call takes arguments.
  const findings = issues.flatMap((issue) => {
    const path = issue.path.filter((segment) => typeof segment !== 'symbol')
    // A name that cannot be used is no choice: it stands in front of one.
    const choice = issue.code === 'invalid_key' ? undefined : source.choices.at(path)
    if (choice === undefined) return explain(issue, path, source)
    // Zod reports several issues of one choice; its author made one mistake in it.
    const key = JSON.stringify(choice)
    if (explained.has(key)) return []
    explained.add(key)
    if (explained.size <= limits.findings) {
      return source.choices.explain(rawAt(source.value, choice), choice)
    }
    return [finding('wrong_type', choice, 'This is none of the forms that are allowed here.')]
  })
  return withoutEchoes(findings)
}

function explain(issue: z.core.$ZodIssue, inner: Path, source: IssueSource): Finding[] {
  const path = [...source.at, ...inner]
  const value = rawAt(source.value, inner)
  if (value === undefined && inner.length > 0) {
    const name = quote(String(inner.at(-1)))
    const values = issue.code === 'invalid_value' ? issue.values.map(String) : []
    const hint = values.length > 0 ? `: it must be ${oneOf(values)}` : ''
    return [finding('missing_field', path, `${name} is missing${hint}.`)]
  }
  switch (issue.code) {
    case 'unrecognized_keys': {
      const known = knownFields(source.schema, inner)
      // Only as many hints are looked for as findings are shown: each takes a while.
      return issue.keys.map((name, index) =>
        unknownField(name, [...path, name], index < limits.findings ? known : []),
      )
    }
    case 'invalid_type':
      return [wrongType(path, issue.expected, value)]
    case 'invalid_value': {
      const known = issue.values.map(String)
      const hint = typeof value === 'string' ? didYouMean(value, known) : ''
      const message = `${fieldName(path)} must be ${oneOf(known)}, not ${show(value)}.${hint}`
      return [finding('wrong_value', path, message)]
    }
    case 'too_small':
    case 'too_big':
      return [finding('wrong_value', path, sizeMessage(issue, path, value))]
    case 'invalid_union':
      return nearestForm(issue, inner, source)
    case 'invalid_key':
      return [finding('reserved_name', path, nameMessage(inner.at(-1)))]
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
    case 'custom':
      return [finding('wrong_value', path, `${fieldName(path)}: ${issue.message}.`)]
    default:
      return unreachable(issue)
  }
}

function unknownField(name: string, path: Path, known: readonly string[]): Finding {
  const hint = didYouMean(name, known)
  const choice = hint === '' && known.length > 0 ? ` Known here: ${known.join(', ')}.` : hint
  return finding('unknown_field', path, `Unknown field ${quote(name)}.${choice}`)
}

function wrongType(path: Path, expected: string, value: unknown): Finding {
  const what = expected === 'int' && typeof value === 'number' ? `${value}` : kindOf(value)
  const isQuotable = expected === 'string' && ['number', 'boolean'].includes(typeof value)
  const hint = isQuotable ? ` Write it in quotes: "${value}".` : ''
  const message = `${fieldName(path)} must be ${kindName(expected)}, not ${what}.${hint}`
  return finding('wrong_type', path, message)
}

/** Of several forms the one counts that lacks least of what was written. */
function nearestForm(
  { errors }: z.core.$ZodIssueInvalidUnion,
  inner: Path,
  source: IssueSource,
): Finding[] {
  const objects = errors.filter((issues) =>
    issues.every(({ code, path }) => path.length > 0 || code === 'unrecognized_keys'),
  )
  const [nearest] = objects.toSorted((one, other) => one.length - other.length)
  if (nearest === undefined) {
    const path = [...source.at, ...inner]
    const message = `${fieldName(path)} has none of the forms that are allowed here.`
    return [finding('wrong_type', path, message)]
  }
  return nearest.flatMap((issue) => {
    const path = issue.path.filter((segment) => typeof segment !== 'symbol')
    return explain(issue, [...inner, ...path], source)
  })
}

function sizeMessage(
  issue: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  path: Path,
  value: unknown,
): string {
  const isSmall = issue.code === 'too_small'
  const bound = Number(isSmall ? issue.minimum : issue.maximum)
  const side = isSmall ? 'at least' : 'at most'
  if (typeof value === 'number') {
    return `${fieldName(path)} must be ${side} ${bound}, not ${value}.`
  }
  if (isSmall && bound === 1) return `${fieldName(path)} may not be empty.`
  const unit = Array.isArray(value) ? 'entries' : 'characters'
  return `${fieldName(path)} may have ${side} ${bound} ${unit}.`
}

function nameMessage(name: string | number | undefined): string {
  return name === '' ? 'A name may not be empty.' : `${quote(name)} cannot be used as a name.`
}

function fieldName(path: Path): string {
  const last = path.at(-1)
  if (last === undefined) return 'The definition'
  return typeof last === 'number'
    ? `Entry ${last + 1} of ${fieldName(path.slice(0, -1))}`
    : quote(last)
}

function oneOf(values: readonly string[]): string {
  return values.length === 1 ? quote(values[0]) : `one of ${listNames(values)}`
}

function show(value: unknown): string {
  return Array.isArray(value) || isJsonObject(value) ? kindOf(value) : quote(value)
}

/** A misspelt field is told once: not also as the field that is missing because of it. */
function withoutEchoes(findings: readonly Finding[]): Finding[] {
  const misspelt = new Map<string, string[]>()
  for (const { code, path } of findings) {
    if (code !== 'unknown_field') continue
    const parent = JSON.stringify(path.slice(0, -1))
    const names = misspelt.get(parent)
    if (names === undefined) misspelt.set(parent, [String(path.at(-1))])
    else if (names.length < limits.findings) names.push(String(path.at(-1)))
  }
  return findings.filter(({ code, path }) => {
    if (code !== 'missing_field') return true
    const names = misspelt.get(JSON.stringify(path.slice(0, -1))) ?? []
    return !names.some((name) => nearestNames(name, [String(path.at(-1))]).length > 0)
  })
}
