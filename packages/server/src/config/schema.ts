import {
  type JsonObject,
  publishedSchema,
  SessionLimits,
  ShellConfig,
} from '@statewright/core/internal'
import { z } from 'zod'
import type { ModelPrice, PriceTable } from '../prices/model-price.ts'
import type { DefinitionFile } from './definition-files.ts'
import { GatewayConfig, type UpstreamEntry, UpstreamsConfig } from './gateway-schema.ts'
import { OidcConfig } from './oidc-schema.ts'
import { MailConfig, NotifyConfig, type NotifyEntry } from './people-schema.ts'

const name = z.string().min(1).max(200)

const usd = z.number().min(0).max(1_000_000)
const tokenPrice = {
  input: usd.describe('USD for a million tokens of input.'),
  output: usd.describe('USD for a million tokens of output.'),
  cache_read: usd.optional().describe('Input served from a cache; like input when left out.'),
  cache_write: usd.optional().describe('Input written to a cache; like input when left out.'),
  cache_write_long: usd.optional().describe('Input written to a cache for an hour.'),
}
const modelPrice: z.ZodType<ModelPrice> = z.strictObject({
  ...tokenPrice,
  long: z
    .strictObject({
      above_tokens: z.int().min(1).describe('Tokens above which a prompt is long.'),
      ...tokenPrice,
    })
    .optional()
    .describe('Prices that apply instead to longer prompts.'),
})

/**
 * What a configuration file may say. A key stands here only when something obeys it: a restriction
 * that is accepted and then ignored would be worse than one that is refused.
 */
export const Config = z.strictObject({
  $schema: z.string().optional().describe('Where an editor finds the JSON Schema of this file.'),
  workflow: name.optional().describe('Workflow to start for a client session that has no run yet.'),
  definitions: z
    .array(z.string().min(1).max(4096))
    .max(200)
    .optional()
    .describe('Workflow and process files, relative to the project root, loaded at the start.'),
  autostart: z
    .enum(['session', 'prompt', 'off'])
    .optional()
    .describe(
      'When it starts: with the first call of a session, its first prompt, or only on request.',
    ),
  strict: z
    .boolean()
    .optional()
    .describe('No active run means no tools, omitted allowed_tools means none.'),
  mode: z
    .enum(['enforce', 'observe'])
    .optional()
    .describe(
      '`observe` only records denials, except for calls that would touch Statewright itself.',
    ),
  agent_may_load: z
    .array(name)
    .max(1000)
    .optional()
    .describe('Workflows that an agent may load by itself; all outside strict mode when left out.'),
  protected_paths: z
    .array(z.string().min(1).max(4096))
    .max(1000)
    .optional()
    .describe(
      'Files and folders, relative to the project root, that only change if a person approves.',
    ),
  read_only_shell: z
    .enum(['auto', 'on', 'off'])
    .optional()
    .describe('Whether a shell call that only reads passes where the state allows reading tools.'),
  sandbox: z
    .enum(['auto', 'required', 'off'])
    .optional()
    .describe('Whether shell calls run in a sandbox, where state and workflow do not say.'),
  sandbox_network: z
    .enum(['on', 'off'])
    .optional()
    .describe('Whether commands in the sandbox reach the network; off also hides this machine.'),
  rewrite_with_allow: z
    .boolean()
    .optional()
    .describe(
      'Run shell calls through Statewright even if the client then skips its prompt: Codex.',
    ),
  durability: z
    .enum(['crash', 'power'])
    .optional()
    .describe('What a committed entry survives: a killed server, or a machine that lost power.'),
  keep: z
    .string()
    .regex(/^[1-9]\d{0,4}d$/, 'a number of days, such as 90d')
    .optional()
    .describe(
      'Histories of runs that ended longer ago move into the archive, such as 90d; none without.',
    ),
  upstreams: UpstreamsConfig.optional().describe(
    'MCP servers behind the gateway, by name, in the shape of .mcp.json.',
  ),
  gateway: GatewayConfig.optional().describe('How the gateway shows and guards tools.'),
  shell: ShellConfig.optional().describe('What the project knows of shell commands.'),
  prices: z
    .record(z.string().min(1).max(200), modelPrice)
    .optional()
    .describe('What models cost, by name; a star at the end covers the rest.'),
  max_cost_report_usd: usd
    .optional()
    .describe('Largest cost of one report; more is refused, or cut off in a result.'),
  sessions: SessionLimits.optional().describe(
    'Limits of agent sessions, unless set when a session starts.',
  ),
  mail: MailConfig.optional().describe('The mail service that /proxy/resend uses.'),
  notify: NotifyConfig.optional().describe('How people are notified of approvals.'),
  oidc: OidcConfig.optional().describe('The identity provider with which people log in.'),
})
export type Config = z.infer<typeof Config>

/** Keys that are decided but not obeyed yet, and what is missing for each. */
export const plannedKeys: Readonly<Record<string, string>> = {
  project: 'runs are listed under the git root for now',
  redact: 'only the built-in patterns are redacted for now',
  on_end: 'nothing is done at the end of a session yet',
  clients: 'clients are set up with "statewright install" for now',
  server: 'no client starts the server by itself yet',
}

/** Everything the configuration decides, with nothing left open. */
export interface Settings {
  readonly workflow: string | null
  readonly definitions: readonly DefinitionFile[]
  readonly autostart: 'session' | 'prompt' | 'off'
  readonly strict: boolean
  readonly mode: 'enforce' | 'observe'
  readonly agent_may_load: readonly string[] | null
  readonly protected_paths: readonly string[]
  readonly read_only_shell: 'auto' | 'on' | 'off'
  /** Null: auto where we start the command, and in strict mode for clients too (SH-14). */
  readonly sandbox: 'auto' | 'required' | 'off' | null
  readonly sandbox_network: 'on' | 'off'
  readonly rewrite_with_allow: boolean
  readonly durability: 'crash' | 'power'
  /** Such as `90d`; null keeps histories in the store for ever. */
  readonly keep: string | null
  readonly shell: ShellConfig
  readonly prices: PriceTable
  readonly max_cost_report_usd: number
  readonly sessions: SessionLimits
  readonly upstreams: Readonly<Record<string, UpstreamEntry>>
  /** What is left open has the default of `gatewayDefaults`. */
  readonly gateway: GatewayConfig
  readonly mail: MailConfig | null
  readonly notify: NotifyEntry
  readonly oidc: OidcConfig | null
}

export const defaults: Settings = {
  workflow: null,
  definitions: [],
  autostart: 'session',
  strict: false,
  mode: 'enforce',
  agent_may_load: null,
  protected_paths: [],
  read_only_shell: 'auto',
  sandbox: null,
  sandbox_network: 'on',
  rewrite_with_allow: false,
  durability: 'crash',
  keep: null,
  shell: {},
  prices: {},
  max_cost_report_usd: 10,
  sessions: {},
  upstreams: {},
  gateway: {},
  mail: null,
  notify: {},
  oidc: null,
}

/** The same with nothing left open. */
export interface WholeGateway {
  readonly names: 'collision' | 'always'
  readonly list: 'allowed' | 'all'
  readonly tools: boolean
  readonly ask_wait_ms: number
}

export const gatewayDefaults: WholeGateway = {
  names: 'collision',
  list: 'allowed',
  tools: false,
  ask_wait_ms: 5 * 60_000,
}

/** The JSON Schema that editors use to complete and check `statewright.yaml`. */
export function configJsonSchema(): JsonObject {
  return publishedSchema(Config, {
    id: 'https://statewright.ai/config-schema.json',
    title: 'Statewright configuration',
  })
}
