import { resolve } from 'node:path'
import { defined } from '@statewright/core/internal'
import { endpoints, type Token, type Verb, verbs } from '@statewright/core/wire'
import { type Command, Option } from 'commander'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, printJson, refuse, saySentence, withServer } from '../command.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { dateTime } from '../output/times.ts'
import { shortId } from '../run/refs.ts'

export function addToken(program: Command): void {
  const token = program.command('token').description('keys for agents, client hooks and people')
  const kinds = new Option('--kind <kind>', 'what it may do').choices([
    'hook',
    'agent',
    'person',
    'service',
  ])
  token
    .command('create')
    .description('create a token; its secret is shown only once')
    .addOption(kinds.makeOptionMandatory())
    .option('--role <role>', 'role for policies')
    .option('--name <name>', 'shown in lists and histories')
    .option('--run <id>', 'a run that is handed to this agent alone')
    .option('--project <folder>', 'whose memory and tasks the agent sees')
    .option('--verbs <list>', 'for a service: what it may do, separated by commas')
    .option('--expires-in <seconds>', 'how long it is valid')
    .option('--json', 'print {"id","token"}')
    .addHelpText('after', createExamples)
    .action(createToken)
  token
    .command('list')
    .description('list tokens, without their secrets')
    .option('--json', 'print one JSON object per line')
    .addHelpText('after', '\nExample:\n  statewright token list\n')
    .action(listTokens)
  token
    .command('revoke')
    .description('revoke a token, at once')
    .argument('<id>', 'its id, as the list shows it')
    .option('--json', 'print one JSON object')
    .addHelpText('after', '\nExample:\n  statewright token revoke agent_5f0c1a2b\n')
    .action(revokeToken)
}

const createExamples = `
hook: may ask for judgement. agent: may also move its own runs. person: another
login of yours, which may look and hold. service: for CI and bots; it does the
verbs that it is made for: approve, release, define, configure, mint, start.

Examples:
  statewright token create --kind agent --name ci
  TOKEN=$(statewright token create --kind agent --run $RUN)
  statewright token create --kind service --verbs define --expires-in 86400
`

interface CreateOptions extends JsonOption {
  readonly kind: 'hook' | 'agent' | 'person' | 'service'
  readonly verbs?: string
  readonly role?: string
  readonly name?: string
  readonly run?: string
  readonly project?: string
  readonly expiresIn?: string
}

async function createToken(options: CreateOptions): Promise<void> {
  await withServer(async (client) => {
    const { kind, role, name, run, project, verbs: words, expiresIn } = options
    const body = defined({
      kind,
      role,
      name,
      run,
      project: project === undefined ? undefined : resolve(project),
      verbs: words?.split(',').map(verbOf),
      expires_in_s: expiresIn === undefined ? undefined : Number(expiresIn),
    })
    const { id, token } = await call(client, endpoints.createToken, { body })
    if (options.json === true) {
      printJson({ id, token })
      return
    }
    process.stdout.write(`${token}\n`)
    saySentence(`Token created (id ${id}). Copy it now; it is not shown again.`)
  })
}

function verbOf(word: string): Verb {
  const next = `use some of: ${verbs.join(', ')}.`
  const message = `There is no verb "${word.slice(0, 50)}".`
  return (
    verbs.find((one) => one === word) ?? refuse({ code: 'usage', message, where: '--verbs', next })
  )
}

async function listTokens(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { tokens } = await call(client, endpoints.listTokens)
    if (options.json === true) for (const one of tokens) printJson(one)
    else if (tokens.length > 0) process.stdout.write(`${table(tokens, columns, terminalWidth())}\n`)
  })
}

const columns: readonly Column<Token>[] = [
  { title: 'ID', text: (one) => (terminalWidth() === undefined ? one.id : shortId(one.id)) },
  { title: 'ROLE', text: (one) => one.role, gives: true },
  { title: 'NAME', text: (one) => one.name, gives: true },
  { title: 'CREATED', text: (one) => dateTime(one.created_at) },
  { title: 'STATE', text: stateOf },
]

function stateOf({ revoked_at, expires_at }: Token): string {
  if (revoked_at !== null) return 'revoked'
  if (expires_at === null) return 'active'
  return expires_at < Date.now() ? 'expired' : `until ${dateTime(expires_at)}`
}

async function revokeToken(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveToken(client, given)
    const done = await call(client, endpoints.revokeToken, { params: { id } })
    if (options.json === true) printJson(done)
    else process.stdout.write(`revoked ${id}\n`)
  })
}

/** The beginning of an id, as lists show it, is enough where only one token begins so. */
async function resolveToken(client: Client, given: string): Promise<string> {
  const { tokens } = await call(client, endpoints.listTokens)
  const found = tokens.filter((one) => one.id.startsWith(given))
  if (found.length <= 1) return found[0]?.id ?? given
  return refuse({
    code: 'usage',
    message: `${found.length} tokens begin with "${given}".`,
    where: 'token',
    next: 'write more of the id.',
  })
}
