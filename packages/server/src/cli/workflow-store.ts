import { parseDefinition } from '@statewright/core'
import { z } from 'zod'
import type { Client } from './client.ts'
import {
  ask,
  type JsonOption,
  orRefuse,
  printJson,
  refuse,
  say,
  tryAsk,
  withServer,
} from './command.ts'
import { readDefinitionFile } from './definition-file.ts'
import { printable, reportProblem } from './report.ts'
import { Anything, type Finding, Findings, Saved, WorkflowLine } from './shapes.ts'
import { type Column, table, terminalWidth } from './table.ts'
import { ago } from './times.ts'

/** `statewright workflow push FILE…` saves definitions on the server, each as a new version. */
export async function pushFiles(paths: readonly string[], options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    let exit = 0
    for (const path of paths) exit = (await pushFile(client, path, options)) || exit
    process.exitCode = exit
  })
}

async function pushFile(client: Client, path: string, options: JsonOption): Promise<number> {
  const { name, kind, text } = readNamed(path)
  const folder = shelves[kind]
  const pushed = await tryAsk(
    client,
    {
      method: 'PUT',
      path: `/api/${folder}/${encodeURIComponent(name)}`,
      // As written: the order of keys is meaning, and findings name lines of this text.
      text: { type: 'application/yaml', content: text },
    },
    Saved,
  )
  if (pushed.ok) {
    printFindings(path, pushed.value.findings)
    if (options.json === true) printJson(pushed.value)
    else process.stdout.write(`${printable(`${name} version ${pushed.value.version}`)}\n`)
    return 0
  }
  const findings = Findings.safeParse(pushed.error.details.findings)
  if (findings.success) printFindings(path, findings.data)
  return reportProblem({ where: path, ...pushed.error })
}

function readNamed(path: string) {
  const file = orRefuse(readDefinitionFile(path))
  const parsed = 'text' in file ? parseDefinition(file.text, file) : undefined
  const name = parsed?.kind === 'workflow' ? parsed.definition?.id : parsed?.definition?.name
  if (parsed === undefined || name === undefined || !('text' in file)) {
    return refuse({
      code: 'definition_invalid',
      message: 'The definition has errors and was not sent.',
      where: path,
      next: `run "statewright workflow check ${path}" to see them.`,
    })
  }
  return { name, kind: parsed.kind, text: file.text }
}

function printFindings(path: string, findings: readonly Finding[]): void {
  for (const { line = 1, column = 1, severity, code, message } of findings) {
    say(printable(`${path}:${line}:${column} ${severity} ${code} ${message}`))
  }
}

/** What is saved under which path, and what people call it. */
export type DefinitionNoun = 'workflow' | 'process'
const shelves = { workflow: 'workflows', process: 'processes' } as const

const Lines = z.looseObject({
  workflows: z.array(WorkflowLine).optional(),
  processes: z.array(WorkflowLine).optional(),
})

/** `statewright workflow list`, `statewright process list` */
export function listDefinitions(noun: DefinitionNoun): (options: JsonOption) => Promise<void> {
  const shelf = shelves[noun]
  return (options) =>
    withServer(async (client) => {
      const lines = (await ask(client, { path: `/api/${shelf}` }, Lines))[shelf] ?? []
      if (options.json === true) {
        for (const one of lines) printJson(one)
      } else if (lines.length > 0) {
        process.stdout.write(`${table(lines, columns, terminalWidth())}\n`)
      }
      if (lines.length === 0) say(`No ${shelf}. Save one with "statewright ${noun} push FILE".`)
    })
}

const columns: readonly Column<WorkflowLine>[] = [
  { title: 'NAME', text: (one) => one.name, gives: true },
  { title: 'VERSION', text: (one) => `${one.version}${one.draft ? ' (draft)' : ''}` },
  { title: 'SAVED', text: (one) => ago(one.saved_at) },
  { title: 'BY', text: (one) => one.saved_by, gives: true },
  { title: 'DESCRIPTION', text: (one) => one.description ?? '', gives: true },
]

const Text = z.looseObject({ text: z.string() })

/** `statewright workflow show NAME`, the same for a process: the text as it was saved. */
export function showDefinition(
  noun: DefinitionNoun,
): (name: string, options: JsonOption & { readonly version?: string }) => Promise<void> {
  return (name, options) =>
    withServer(async (client) => {
      const query =
        options.version === undefined ? '' : `?version=${encodeURIComponent(options.version)}`
      const path = `/api/${shelves[noun]}/${encodeURIComponent(name)}${query}`
      if (options.json === true) {
        printJson(await ask(client, { path }, Anything))
        return
      }
      const { text } = await ask(client, { path }, Text)
      process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
    })
}

/** `statewright workflow delete NAME`, the same for a process; runs keep their version. */
export function deleteDefinition(
  noun: DefinitionNoun,
): (name: string, options: JsonOption) => Promise<void> {
  return (name, options) =>
    withServer(async (client) => {
      const path = `/api/${shelves[noun]}/${encodeURIComponent(name)}`
      const removed = await ask(client, { method: 'DELETE', path }, Anything)
      if (options.json === true) printJson(removed)
      else say(printable(`removed ${name}`))
    })
}
