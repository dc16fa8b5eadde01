import { type AnswerOf, endpoints } from '@statewright/core/wire'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  readJsonOption,
  withServer,
} from '../command.ts'
import { definedFactText } from '../output/defined-fact-text.ts'
import { forTerminal, printable } from '../output/report.ts'
import { wayText } from '../output/way-text.ts'
import { resolveRun } from './refs.ts'

export interface ExplainRunOptions extends JsonOption {
  readonly tool: string
  readonly input: string
  readonly branch?: string
}

const words = { allow: 'allowed', ask: 'a person would be asked', deny: 'denied' } as const

/** `statewright run explain RUN`: what a call would get from a live run; it changes nothing. */
export async function explainRun(given: string, options: ExplainRunOptions): Promise<void> {
  await withServer(async (client) => {
    const body = {
      tool: options.tool,
      input: orRefuse(readJsonOption(options.input, '--input')),
      branch: options.branch,
    }
    const id = await resolveRun(client, given)
    const answer = await call(client, endpoints.explainCall, { params: { id }, body })
    if (options.json === true) printJson(answer)
    else process.stdout.write(`${decisionLines(answer, options.tool).join('\n')}\n`)
    process.exitCode = { allow: 0, ask: 5, deny: 3 }[answer.decision]
  })
}

function decisionLines(answer: AnswerOf<typeof endpoints.explainCall>, tool: string): string[] {
  const how = answer.contained === true ? ', contained' : ''
  const lines = [`${words[answer.decision]}${how}: ${tool}`]
  for (const { code, message, path } of answer.reasons) {
    lines.push(`  ${code}: ${message}${path === '' ? '' : ` (${path})`}`)
  }
  for (const fact of answer.proves ?? []) lines.push(`  proves ${definedFactText(fact)}`)
  if (answer.events.length > 0) lines.push(`  events: ${wayText(answer.events)}`)
  if (answer.way !== undefined) lines.push(`  way to it: ${wayText(answer.way)}`)
  return lines.map((line) => forTerminal(printable(line), process.stdout))
}
