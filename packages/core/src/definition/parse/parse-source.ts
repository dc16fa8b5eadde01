import type { z } from 'zod'
import { isJsonObject } from '../../base/json.ts'
import { limits } from '../../base/limits.ts'
import { type Finding, finding, hasErrors } from '../finding.ts'
import { readPlainValue } from '../text/plain-value.ts'
import { readDefinitionText, type TextFormat } from '../text/read-text.ts'
import type { Source } from '../text/source.ts'
import { type Choices, issueFindings } from './issues.ts'
import { rawAt } from './raw.ts'
import { reservedNames } from './reserved-names.ts'
import { kindOf } from './wording.ts'

export interface ParseOptions {
  /** How to read a text; found out by its first character when not told. */
  readonly format?: TextFormat
}

/** How one kind of definition is parsed. */
export interface Grammar<Definition> {
  readonly schema: z.ZodType<Definition>
  readonly choices: Choices
  /** What the schema cannot say, looked for in what was written. */
  readonly findMore: (value: unknown) => Finding[]
  /** Brings all ways to write the same thing to one. */
  readonly normalise: (definition: Definition) => Definition
}

export interface Parsed<Definition> {
  /** Present when there is no error among the findings. */
  readonly definition?: Definition
  readonly findings: readonly Finding[]
}

/** Takes a text, or the value a program already has. */
export function readSource(input: unknown, options: ParseOptions = {}): Source {
  return typeof input === 'string' ? readDefinitionText(input, options) : readPlainValue(input)
}

/** Parses what was read, with every finding there is; places are given later. */
export function parseSource<Definition>(
  source: Source,
  grammar: Grammar<Definition>,
): Parsed<Definition> {
  const { value } = source
  if (value === undefined) return { findings: source.findings }
  const bound = boundFinding(value)
  if (bound !== undefined) return { findings: [...source.findings, bound] }
  const findings = [...source.findings, ...reservedNames(value), ...grammar.findMore(value)]
  const parsed = applySchema(grammar.schema, value)
  if (parsed === undefined) {
    const message =
      'There are too many errors to list. Check that each list contains what it should.'
    return { findings: [...findings, finding('too_large', [], message)] }
  }
  if (!parsed.success) {
    const { schema, choices } = grammar
    const issues = issueFindings(parsed.error.issues, { schema, value, at: [], choices })
    const all = [...findings, ...issues]
    // Refusing without a word would be worse than a vague one.
    const vague = finding('wrong_type', [], 'This is not a valid definition.')
    return { findings: hasErrors(all) ? all : [...all, vague] }
  }
  if (hasErrors(findings)) return { findings }
  return { definition: grammar.normalise(parsed.data), findings }
}

/** Undefined when there is too much to tell: Zod overflows the stack with 100,000 issues. */
function applySchema<Definition>(
  schema: z.ZodType<Definition>,
  value: unknown,
): z.ZodSafeParseResult<Definition> | undefined {
  try {
    return schema.safeParse(value)
  } catch {
    return undefined
  }
}

function boundFinding(value: unknown): Finding | undefined {
  if (!isJsonObject(value)) {
    const message = `A definition is an object with states; this is ${kindOf(value)}.`
    return finding('not_an_object', [], message)
  }
  const states = rawAt(value, ['states'])
  const count = isJsonObject(states) ? Object.keys(states).length : 0
  if (count <= limits.states) return undefined
  const message = `A definition may have at most ${limits.states} states; this has ${count}.`
  return finding('too_many_states', ['states'], message)
}
