import { tests } from '@bufbuild/cel-spec/testdata/conformance.js'
import { describe, expect, it } from 'vitest'
import {
  compileCondition,
  conditionFault,
  expressionValue,
} from '../../packages/core/src/condition/condition.ts'
import { deviations } from './deviations.ts'

/** A case of the official suite, as the package serializes it. */
interface Case {
  readonly name?: string
  readonly expr: string
  readonly value?: Readonly<Record<string, unknown>>
  readonly evalError?: unknown
  readonly anyEvalErrors?: unknown
  readonly typeEnv?: unknown
  readonly bindings?: unknown
  readonly container?: unknown
  readonly unknown?: unknown
  readonly anyUnknowns?: unknown
  readonly typedResult?: { readonly result?: Readonly<Record<string, unknown>> }
  readonly checkOnly?: boolean
}

interface Suite {
  readonly name: string
  readonly suites?: readonly Suite[]
  readonly tests?: readonly { readonly original: Case }[]
}

interface Found {
  readonly section: string
  readonly path: string
  readonly original: Case
}

function casesOf(suite: Suite, path: readonly string[]): Found[] {
  const inner = (suite.suites ?? []).flatMap((one) => casesOf(one, [...path, one.name]))
  const own = (suite.tests ?? []).map(({ original }) => ({
    section: path[0] ?? '',
    path: [...path, original.name ?? original.expr].join('/'),
    original,
  }))
  return [...inner, ...own]
}

const cases = casesOf(tests as unknown as Suite, [])

/** Why a case is none for us, or undefined. */
function notOurs({ original }: Found): string | undefined {
  const { typeEnv, bindings, container, unknown, anyUnknowns, checkOnly, expr } = original
  if (typeEnv ?? bindings ?? container) return 'variables, functions or messages of its own'
  if (unknown ?? anyUnknowns ?? checkOnly) return 'partial evaluation or types alone'
  if (/[a-z0-9_]\s*\{|\{\s*\?|\[\?|\.\?/i.test(expr.replaceAll(/"[^"]*"|'[^']*'/g, '""'))) {
    return 'messages and optional values'
  }
  const fault = conditionFault(expr, 'result')?.message ?? ''
  if (/there is no|not supported here|iteration variable/.test(fault))
    return 'outside of the profile'
  if (wants(original)?.kind === 'typeValue') return 'types as values'
  return undefined
}

function wants({ value, typedResult }: Case): Expectation | undefined {
  const [found] = Object.entries(value ?? typedResult?.result ?? { boolValue: true })
  return found === undefined ? undefined : { kind: found[0], value: found[1] }
}

interface Expectation {
  readonly kind: string
  readonly value: unknown
}

/** Whether a value is what a case wants, written as the protocol writes it. */
function fits(wanted: Readonly<Record<string, unknown>>, got: unknown): boolean {
  const [[kind, value] = ['', undefined]] = Object.entries(wanted)
  switch (kind) {
    case 'int64Value':
      return typeof got === 'bigint' && got === BigInt(value as string) // a decimal text
    case 'doubleValue':
      return typeof got === 'number' && (got === Number(value) || Object.is(got, Number(value)))
    case 'boolValue':
    case 'stringValue':
      return got === value
    case 'nullValue':
      return got === null
    case 'listValue': {
      const { values = [] } = value as { values?: Record<string, unknown>[] } // of the protocol
      if (!Array.isArray(got) || got.length !== values.length) return false
      return values.every((one, index) => fits(one, got[index]))
    }
    case 'mapValue': {
      type Entry = { key: Record<string, unknown>; value: Record<string, unknown> }
      const { entries = [] } = value as { entries?: Entry[] } // of the protocol
      const known = got instanceof Map ? [...got] : Object.entries(got ?? {})
      if (known.length !== entries.length) return false
      return entries.every((entry) => {
        const name = String(Object.values(entry.key)[0])
        return known.some(([key, inner]) => String(key) === name && fits(entry.value, inner))
      })
    }
    default:
      return false
  }
}

function passes({ original }: Found): boolean {
  const got = expressionValue(compileCondition(original.expr, '', 'result'), {})
  if (original.evalError ?? original.anyEvalErrors) return got === undefined
  const wanted = wants(original)
  return wanted !== undefined && fits({ [wanted.kind]: wanted.value }, got)
}

const ours = cases.filter((found) => notOurs(found) === undefined)
const failing = ours.filter((found) => !passes(found)).map(({ path }) => path)

describe('FC-12: the official cases of the Common Expression Language', () => {
  it('FC-12: those within the profile pass, with the exceptions that are known', () => {
    expect(failing.toSorted()).toEqual(Object.keys(deviations).toSorted())
  })

  it('FC-12: no exception is about logic, mixed numbers that fit, or what is in a list', () => {
    const close = failing.filter((path) => /^(?:logic|plumbing)\//.test(path))
    expect(close.map((path) => deviations[path])).toEqual(close.map(() => 'types that never fit'))
  })

  it.each([
    ['comparisons', 200],
    ['logic', 24],
    ['fp_math', 30],
    ['integer_math', 40],
    ['lists', 20],
    ['macros', 35],
    ['string', 30],
    ['parse', 100],
    ['timestamps', 30],
  ])('FC-12: of %s at least %i are ours', (section, least) => {
    expect(ours.filter((one) => one.section === section).length).toBeGreaterThanOrEqual(least)
  })

  it('FC-12: those that are not ours are counted, by reason', () => {
    const reasons = Map.groupBy(cases, (found) => notOurs(found) ?? 'ours')
    const counts = Object.fromEntries([...reasons].map(([why, found]) => [why, found.length]))
    expect(counts).toMatchInlineSnapshot(`
      {
        "messages and optional values": 139,
        "ours": 725,
        "outside of the profile": 803,
        "partial evaluation or types alone": 9,
        "types as values": 22,
        "variables, functions or messages of its own": 646,
      }
    `)
  })
})
