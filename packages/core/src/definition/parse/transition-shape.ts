import type { z } from 'zod'
import { isJsonObject } from '../../base/json.ts'
import { limits } from '../../base/limits.ts'
import { nearestNames } from '../../base/nearest.ts'
import { type Finding, finding, type Path } from '../finding.ts'
import {
  Candidate,
  EvidenceGuard,
  FieldGuard,
  ForkTransition,
  GuardedTransition,
  InvokeTransition,
} from '../workflow-schema.ts'
import { type Choices, issueFindings, noChoices } from './issues.ts'
import { kindOf, listNames } from './wording.ts'

/**
 * Transitions and guards follow one of several patterns. A union would complain about each of
 * them; an author meant one, and it shows in what was written.
 */
export const workflowChoices: Choices = {
  at: (path) => {
    if (path[0] === 'states' && path[2] === 'on' && path.length >= 4) return path.slice(0, 4)
    if (path[0] === 'guards' && path.length >= 2) return path.slice(0, 2)
    return undefined
  },
  explain: (value, path) =>
    path[0] === 'guards' ? guardFindings(value, path) : transitionFindings(value, path),
}

function transitionFindings(value: unknown, path: Path): Finding[] {
  if (value === '') return [finding('wrong_value', path, 'The target may not be empty.')]
  if (Array.isArray(value)) {
    if (value.length === 0) {
      return [finding('wrong_value', path, 'A list of candidates may not be empty.')]
    }
    const findings: Finding[] = []
    for (const [index, item] of value.entries()) {
      // Past what is shown there is nothing to gain from looking at the rest.
      if (findings.length > limits.findings) break
      for (const one of candidateFindings(item, [...path, index])) findings.push(one)
    }
    return findings
  }
  if (typeof value === 'string') {
    return [finding('wrong_value', path, 'The target is too long for a name.')]
  }
  if (!isJsonObject(value)) {
    const message = `A transition is a state's name, an object or a list, not ${kindOf(value)}.`
    return [finding('wrong_type', path, message)]
  }
  return objectFindings(value, path, patternOf(value))
}

function candidateFindings(value: unknown, path: Path): Finding[] {
  if (!isJsonObject(value)) {
    const message = `A candidate is an object with a target, not ${kindOf(value)}.`
    return [finding('wrong_type', path, message)]
  }
  return objectFindings(value, path, { name: 'target', schema: Candidate })
}

interface Pattern {
  readonly name: 'target' | 'invoke' | 'fork'
  readonly schema: z.ZodObject
}

const patterns: readonly Pattern[] = [
  { name: 'fork', schema: ForkTransition },
  { name: 'invoke', schema: InvokeTransition },
  { name: 'target', schema: GuardedTransition },
]

const fieldsOf = (pattern: Pattern) => Object.keys(pattern.schema.shape)

/** The pattern that an object names; without a name, the one that most of its fields belong to. */
function patternOf(value: object): Pattern {
  // A few names show what was meant; a hundred thousand would only take longer.
  const names = Object.keys(value).slice(0, 20)
  const named = patterns.find((pattern) => Object.hasOwn(value, pattern.name))
  if (named !== undefined) return named
  const score = (pattern: Pattern) =>
    names.filter((name) => nearestNames(name, fieldsOf(pattern), 1).length > 0).length
  return patterns.reduce((best, next) => (score(next) >= score(best) ? next : best))
}

function objectFindings(value: object, path: Path, meant: Pattern): Finding[] {
  const others = patterns.filter((pattern) => pattern.name !== meant.name)
  const own = fieldsOf(meant)
  const foreign = Object.keys(value).filter(
    (name) => !own.includes(name) && others.some((pattern) => fieldsOf(pattern).includes(name)),
  )
  const kept = Object.fromEntries(Object.entries(value).filter(([name]) => !foreign.includes(name)))
  const findings = schemaFindings(meant.schema, kept, path)
  if (foreign.length === 0) return findings
  const message =
    `A transition has one form: ${listNames(foreign)} cannot be combined ` + `with "${meant.name}".`
  // Which fields are missing depends on the pattern that the author will decide for.
  const certain = findings.filter((one) => one.code !== 'missing_field')
  return [finding('mixed_patterns', [...path, foreign[0] ?? meant.name], message), ...certain]
}

function guardFindings(value: unknown, path: Path): Finding[] {
  if (!isJsonObject(value)) {
    const message = `A guard is an object with field and op, or evidence, not ${kindOf(value)}.`
    return [finding('wrong_type', path, message)]
  }
  const isEvidence = Object.hasOwn(value, 'evidence')
  const mixed = isEvidence ? ['field', 'op', 'value'].filter((name) => name in value) : []
  if (mixed.length > 0) {
    const message = `A guard reads a field or evidence: ${listNames(mixed)} cannot be combined.`
    return [finding('mixed_patterns', [...path, mixed[0] ?? 'field'], message)]
  }
  return schemaFindings(isEvidence ? EvidenceGuard : FieldGuard, value, path)
}

function schemaFindings(schema: z.ZodObject, value: unknown, path: Path): Finding[] {
  const parsed = schema.safeParse(value)
  if (parsed.success) return []
  const source = { schema, value, at: path, choices: noChoices }
  return issueFindings(parsed.error.issues, source)
}
