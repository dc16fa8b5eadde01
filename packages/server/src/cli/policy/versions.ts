import { type AttachedPolicy, endpoints } from '@statewright/core/wire'
import type { Command } from 'commander'
import { call, type JsonOption, printJson, withServer } from '../command.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { textDiff } from '../output/text-diff.ts'
import { ago } from '../output/times.ts'

/** The versions of a policy: who saved them, what changed, and back to one of them. */
export function addPolicyVersions(policy: Command): void {
  policy
    .command('show')
    .description('print a saved policy')
    .argument('<name>', 'its name')
    .option('--version <number>', 'a version other than the newest')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright policy show no-shell --version 2\n')
    .action(showPolicy)
  policy
    .command('versions')
    .description('list who saved or removed a policy, and when')
    .argument('<name>', 'its name')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  statewright policy versions no-shell\n')
    .action(listVersions)
  policy
    .command('diff')
    .description('show what changed from one version of a policy to another')
    .argument('<name>', 'its name')
    .argument('<from>', 'the older version')
    .argument('[to]', 'the newer version; the newest when left out')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright policy diff no-shell 1 3\n')
    .action(diffVersions)
  policy
    .command('restore')
    .description('restore an earlier version of a policy; it applies from the next call on')
    .argument('<name>', 'its name')
    .argument('<version>', 'the version to restore')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright policy restore no-shell 2\n')
    .action(restoreVersion)
}

async function showPolicy(
  name: string,
  options: JsonOption & { readonly version?: string },
): Promise<void> {
  await withServer(async (client) => {
    const { version } = options
    const found = await call(client, endpoints.getPolicy, { params: { name }, query: { version } })
    if (options.json === true) printJson(found)
    else process.stdout.write(textOf(found))
  })
}

async function listVersions(name: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { versions } = await call(client, endpoints.listPolicyVersions, { params: { name } })
    if (options.json === true) for (const one of versions) printJson(one)
    else process.stdout.write(`${table(versions, columns, terminalWidth())}\n`)
  })
}

const columns: readonly Column<AttachedPolicy>[] = [
  { title: 'VERSION', text: (one) => `${one.version}${one.removed === true ? ' (removed)' : ''}` },
  { title: 'SAVED', text: (one) => ago(one.saved_at) },
  { title: 'BY', text: (one) => one.saved_by, gives: true },
]

async function diffVersions(
  name: string,
  from: string,
  to: string | undefined,
  options: JsonOption,
): Promise<void> {
  await withServer(async (client) => {
    const find = (version: string | undefined) =>
      call(client, endpoints.getPolicy, { params: { name }, query: { version } })
    const [before, after] = [await find(from), await find(to)]
    const lines = textDiff(textOf(before), textOf(after))
    if (options.json === true) printJson({ from: before, to: after, lines })
    else if (lines.length > 0) process.stdout.write(`${lines.map(printable).join('\n')}\n`)
  })
}

async function restoreVersion(name: string, version: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const body = { version: Number(version) }
    const saved = await call(client, endpoints.restorePolicy, { params: { name }, body })
    if (options.json === true) printJson(saved)
    else process.stdout.write(`${printable(`${name} version ${saved.version}`)}\n`)
  })
}

/** The policy as text, with the project that it holds for, which is part of what changed. */
function textOf({ policy, project }: AttachedPolicy): string {
  const where = project === null ? {} : { project }
  return `${JSON.stringify({ ...where, ...policy }, null, 2)}\n`
}
