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
  const folder = kind === 'workflow' ? 'workflows' : 'processes'
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

const Workflows = z.looseObject({ workflows: z.array(WorkflowLine) })

/** `statewright workflow list` */
export async function listWorkflows(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { workflows } = await ask(client, { path: '/api/workflows' }, Workflows)
    if (options.json === true) {
      for (const one of workflows) printJson(one)
    } else if (workflows.length > 0) {
      process.stdout.write(`${table(workflows, columns, terminalWidth())}\n`)
    }
    if (workflows.length === 0) say('No workflows. Save one with "statewright workflow push FILE".')
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

/** `statewright workflow show NAME`: the text as it was saved. */
export async function showWorkflow(
  name: string,
  options: JsonOption & { readonly version?: string },
): Promise<void> {
  await withServer(async (client) => {
    const query =
      options.version === undefined ? '' : `?version=${encodeURIComponent(options.version)}`
    const path = `/api/workflows/${encodeURIComponent(name)}${query}`
    if (options.json === true) {
      printJson(await ask(client, { path }, Anything))
      return
    }
    const { text } = await ask(client, { path }, Text)
    process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
  })
}
