import { parseDefinition } from '@statewright/core/internal'
import {
  type DefinitionKind,
  type DefinitionLine,
  endpoints,
  Finding,
} from '@statewright/core/wire'
import { z } from 'zod'
import type { Client } from '../api/client.ts'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  refuse,
  say,
  tryCall,
  withServer,
} from '../command.ts'
import { readDefinitionFile } from '../definition/file.ts'
import { printable, reportProblem } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { ago } from '../output/times.ts'

const rows = {
  workflow: {
    get: endpoints.getWorkflow,
    save: endpoints.saveWorkflow,
    remove: endpoints.removeWorkflow,
  },
  process: {
    get: endpoints.getProcess,
    save: endpoints.saveProcess,
    remove: endpoints.removeProcess,
  },
}

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
  // As written: the order of keys is meaning, and findings name lines of this text.
  const pushed = await tryCall(client, rows[kind].save, { params: { name }, body: text })
  if (pushed.ok) {
    printFindings(path, pushed.value.findings)
    if (options.json === true) printJson(pushed.value)
    else process.stdout.write(`${printable(`${name} version ${pushed.value.version}`)}\n`)
    return 0
  }
  const findings = z.array(Finding).safeParse(pushed.error.details.findings)
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

/** `statewright workflow list`, `statewright process list` */
export function listDefinitions(kind: DefinitionKind): (options: JsonOption) => Promise<void> {
  return (options) =>
    withServer(async (client) => {
      const lines: readonly DefinitionLine[] =
        kind === 'workflow'
          ? (await call(client, endpoints.listWorkflows)).workflows
          : (await call(client, endpoints.listProcesses)).processes
      if (options.json === true) {
        for (const one of lines) printJson(one)
      } else if (lines.length > 0) {
        process.stdout.write(`${table(lines, columns, terminalWidth())}\n`)
      }
      const some = kind === 'workflow' ? 'workflows' : 'processes'
      if (lines.length === 0) say(`No ${some}. Save one with "statewright ${kind} push FILE".`)
    })
}

const columns: readonly Column<DefinitionLine>[] = [
  { title: 'NAME', text: (one) => one.name, gives: true },
  { title: 'VERSION', text: (one) => `${one.version}${one.draft ? ' (draft)' : ''}` },
  { title: 'SAVED', text: (one) => ago(one.saved_at) },
  { title: 'BY', text: (one) => one.saved_by, gives: true },
  { title: 'DESCRIPTION', text: (one) => one.description ?? '', gives: true },
]

/** `statewright workflow show NAME`, the same for a process: the text as it was saved. */
export function showDefinition(
  kind: DefinitionKind,
): (name: string, options: JsonOption & { readonly version?: string }) => Promise<void> {
  return (name, { json, version }) =>
    withServer(async (client) => {
      const found = await call(client, rows[kind].get, { params: { name }, query: { version } })
      const { text } = found
      if (json === true) printJson(found)
      else process.stdout.write(text.endsWith('\n') ? text : `${text}\n`)
    })
}

/** `statewright workflow delete NAME`, the same for a process; runs keep their version. */
export function deleteDefinition(
  kind: DefinitionKind,
): (name: string, options: JsonOption) => Promise<void> {
  return (name, options) =>
    withServer(async (client) => {
      const removed = await call(client, rows[kind].remove, { params: { name } })
      if (options.json === true) printJson(removed)
      else say(printable(`removed ${name}`))
    })
}
