import { resolve } from 'node:path'
import { type Command, Option } from 'commander'
import { z } from 'zod'
import type { Client } from './client.ts'
import { ask, type JsonOption, printJson, refuse, saySentence, withServer } from './command.ts'
import { shortId } from './run-refs.ts'
import { Anything, Token } from './shapes.ts'
import { type Column, table, terminalWidth } from './table.ts'
import { dateTime } from './times.ts'

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
    .description('make a token; its secret is shown this once')
    .addOption(kinds.makeOptionMandatory())
    .option('--role <role>', 'role for policies')
    .option('--name <name>', 'shown in lists and histories')
    .option('--run <id>', 'a run that the agent is handed, for it alone')
    .option('--project <folder>', 'whose memory and tasks the agent sees')
    .option('--verbs <list>', 'of a service: what it may do, with commas')
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

const Minted = z.looseObject({ id: z.string(), token: z.string() })

async function createToken(options: CreateOptions): Promise<void> {
  await withServer(async (client) => {
    const { kind, role, name, run, project, verbs, expiresIn } = options
    const body = {
      kind,
      ...(role === undefined ? {} : { role }),
      ...(name === undefined ? {} : { name }),
      ...(run === undefined ? {} : { run }),
      ...(project === undefined ? {} : { project: resolve(project) }),
      ...(verbs === undefined ? {} : { verbs: verbs.split(',') }),
      ...(expiresIn === undefined ? {} : { expires_in_s: Number(expiresIn) }),
    }
    const { id, token } = await ask(client, { method: 'POST', path: '/api/tokens', body }, Minted)
    if (options.json === true) {
      printJson({ id, token })
      return
    }
    process.stdout.write(`${token}\n`)
    saySentence(`Token created (id ${id}). Copy it now; it is not shown again.`)
  })
}

const Tokens = z.looseObject({ tokens: z.array(Token) })

async function listTokens(options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const { tokens } = await ask(client, { path: '/api/tokens' }, Tokens)
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
    const path = `/api/tokens/${encodeURIComponent(id)}`
    const done = await ask(client, { method: 'DELETE', path }, Anything)
    if (options.json === true) printJson(done)
    else process.stdout.write(`revoked ${id}\n`)
  })
}

/** The beginning of an id, as lists show it, is enough where only one token begins so. */
async function resolveToken(client: Client, given: string): Promise<string> {
  const { tokens } = await ask(client, { path: '/api/tokens' }, Tokens)
  const found = tokens.filter((one) => one.id.startsWith(given))
  if (found.length <= 1) return found[0]?.id ?? given
  return refuse({
    code: 'usage',
    message: `${found.length} tokens begin with "${given}".`,
    where: 'token',
    next: 'write more of the id.',
  })
}
