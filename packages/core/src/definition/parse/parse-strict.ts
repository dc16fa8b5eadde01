import type { z } from 'zod'
import { type Finding, finding } from '../finding.ts'
import { readDefinitionText, type TextFormat } from '../text/read-text.ts'
import { issueFindings, noChoices } from './issues.ts'
import type { Parsed } from './parse-source.ts'
import { settleFindings } from './settle-findings.ts'
import { kindName, kindOf } from './wording.ts'

/**
 * Parses any other text that people write, such as the configuration, as strictly as a definition:
 * an unknown name is an error with its place and the name that was probably meant.
 */
export function parseStrict<Value>(
  text: string,
  options: {
    readonly schema: z.ZodType<Value>
    /** What the text is called when it has the wrong shape as a whole. */
    readonly what: string
    readonly format?: TextFormat
  },
): Parsed<Value> {
  const { schema, what, format } = options
  const source = readDefinitionText(text, format === undefined ? {} : { format })
  if (source.value === undefined) return { findings: source.findings }
  const parsed = schema.safeParse(source.value)
  if (parsed.success && source.findings.length === 0) {
    return { definition: parsed.data, findings: [] }
  }
  const findings = [...source.findings]
  if (!parsed.success) {
    const { issues } = parsed.error
    const more = { schema, value: source.value, at: [], choices: noChoices }
    findings.push(...(wholeFinding(issues, source.value, what) ?? issueFindings(issues, more)))
  }
  return { findings: settleFindings(findings, source) }
}

/** The first thing that is wrong with a value that a program sent, in the words of findings. */
export function explainIssue(
  issues: readonly z.core.$ZodIssue[],
  source: { readonly schema: z.core.$ZodType; readonly value: unknown; readonly what: string },
): Finding | undefined {
  const { schema, value, what } = source
  const more = { schema, value, at: [], choices: noChoices }
  return (wholeFinding(issues, value, what) ?? issueFindings(issues.slice(0, 1), more))[0]
}

function wholeFinding(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  what: string,
): Finding[] | undefined {
  const whole = issues.find((issue) => issue.path.length === 0)
  if (whole?.code !== 'invalid_type') return undefined
  const message = `${what} must be ${kindName(whole.expected)}, not ${kindOf(value)}.`
  return [finding('wrong_type', [], message)]
}
