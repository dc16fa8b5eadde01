import {
  type AttachedPolicy,
  type ExplainedPolicies,
  endpoints,
  type Used,
} from '@statewright/core/wire'
import type { Command } from 'commander'
import {
  call,
  type JsonOption,
  orRefuse,
  printJson,
  readJsonOption,
  say,
  withServer,
} from '../command.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { resolveRun } from '../run/refs.ts'
import { readPolicyFile } from './read-policy.ts'
import { addPolicyVersions } from './versions.ts'

export function addPolicy(program: Command): void {
  const policy = program
    .command('policy')
    .description('explain what policies decide about a call, and attach them to projects and roles')
  policy
    .command('explain')
    .description('show which rule decides a call, what is used and when it resets')
    .option('--capability <name>', 'such as bash or mcp:filesystem:write_file')
    .option('--tool <name>', 'a tool as a client calls it, instead of a capability')
    .option('--input <json>', 'input of the tool', '{}')
    .option('--run <run>', 'a run: also apply its definition and project')
    .option('--role <name>', 'another role than the run has')
    .option('--project <name>', 'also apply the policies of this project')
    .option('--json', 'print one JSON object')
    .addHelpText('after', explainExamples)
    .action(explainPolicy)
  policy
    .command('list')
    .description('list the policies of projects and roles')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  statewright policy list\n')
    .action(listPolicies)
  policy
    .command('push')
    .description('save a policy; it applies from the next call on')
    .argument('<name>', 'name to save it under')
    .argument('<file>', 'a JSON or YAML file')
    .option('--project <name>', 'attach it to this project instead of the role that it names')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright policy push no-shell no-shell.yaml\n')
    .action(pushPolicy)
  policy
    .command('delete')
    .description('remove a policy')
    .argument('<name>', 'its name')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright policy delete no-shell\n')
    .action(deletePolicy)
  addPolicyVersions(policy)
}

interface ExplainOptions extends JsonOption {
  readonly capability?: string
  readonly tool?: string
  readonly input: string
  readonly run?: string
  readonly role?: string
  readonly project?: string
}

async function explainPolicy(options: ExplainOptions): Promise<void> {
  await withServer(async (client) => {
    const { capability, tool, role, project, run } = options
    const body = {
      ...{ capability, tool, role, project },
      input: tool === undefined ? undefined : orRefuse(readJsonOption(options.input, '--input')),
      run: run === undefined ? undefined : await resolveRun(client, run),
    }
    const answer = await call(client, endpoints.explainPolicies, { body })
    if (options.json === true) printJson(answer)
    else process.stdout.write(`${explanation(answer).map(printable).join('\n')}\n`)
    process.exitCode = { allow: 0, ask: 5, deny: 3 }[answer.decision]
  })
}

const decisions = { allow: 'allowed', ask: 'a person would be asked', deny: 'denied' } as const

function explanation({
  decision,
  capability,
  role,
  reasons,
  policies,
}: ExplainedPolicies): string[] {
  const lines = [`${decisions[decision]}: ${capability} for the role ${role}`]
  for (const { code, message, path } of reasons) lines.push(`  ${code}: ${message} (${path})`)
  for (const { policy, decision: output, rule, usage } of policies) {
    const by = rule === null ? 'no rule matches' : `${rule.path} (${rule.capability})`
    lines.push(`  ${policy}: ${output}, ${by}`)
    lines.push(...usage.map((one) => `    ${usedLine(one)}`))
  }
  if (policies.length === 0) lines.push('  no policy applies here')
  return lines
}

function usedLine(one: Used): string {
  const { kind, used, max, window_seconds, period, resets_at } = one
  const what =
    kind === 'rate'
      ? `${used} of ${max} calls in ${window_seconds} seconds`
      : `${used} of ${max} USD, ${period}`
  return resets_at === null ? what : `${what}; resets at ${resets_at}`
}

async function listPolicies(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { policies } = await call(client, endpoints.listPolicies)
    if (options.json === true) for (const one of policies) printJson(one)
    else if (policies.length > 0) {
      process.stdout.write(`${table(policies, columns, terminalWidth())}\n`)
    }
    if (policies.length === 0) say('No policies. Save one with "statewright policy push".')
  })
}

const columns: readonly Column<AttachedPolicy>[] = [
  { title: 'NAME', text: (one) => one.name, gives: true },
  { title: 'VERSION', text: (one) => String(one.version) },
  { title: 'APPLIES TO', text: holdsFor, gives: true },
]

function holdsFor({ project, policy }: AttachedPolicy): string {
  if (project !== null) return `project ${project}`
  return policy.role === undefined ? 'everybody' : `role ${policy.role}`
}

async function pushPolicy(
  name: string,
  path: string,
  options: JsonOption & { readonly project?: string },
): Promise<void> {
  await withServer(async (client) => {
    const body = { policy: readPolicyFile(path).value, project: options.project }
    const saved = await call(client, endpoints.savePolicy, { params: { name }, body })
    for (const { severity, code, message } of saved.findings) {
      say(printable(`${path} ${severity} ${code} ${message}`))
    }
    if (options.json === true) printJson(saved)
    else process.stdout.write(`${printable(`${name} version ${saved.version}`)}\n`)
  })
}

async function deletePolicy(name: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const removed = await call(client, endpoints.removePolicy, { params: { name } })
    if (options.json === true) printJson(removed)
    else say(printable(`removed ${name}`))
  })
}

const explainExamples = `
Exit codes: 0 allowed, 3 denied, 5 a person would be asked.

Examples:
  statewright policy explain --capability bash --run run_5f0c1a2b
  statewright policy explain --tool mcp__filesystem__write_file --role reviewer
`
