import { err, nearestNames, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Environment } from '../home/folders.ts'
import { Config, plannedKeys } from './schema.ts'

const prefix = 'STATEWRIGHT_'

/** Variables that set a key of the configuration, and how their text is read. */
const keys: Readonly<Record<string, (text: string) => unknown>> = {
  WORKFLOW: (text) => ({ workflow: text }),
  AUTOSTART: (text) => ({ autostart: text }),
  STRICT: (text) => ({ strict: truth(text) }),
  MODE: (text) => ({ mode: text }),
  AGENT_MAY_LOAD: (text) => ({ agent_may_load: list(text) }),
  PROTECTED_PATHS: (text) => ({ protected_paths: list(text) }),
  READ_ONLY_SHELL: (text) => ({ read_only_shell: text }),
  SANDBOX: (text) => ({ sandbox: text }),
  SANDBOX_NETWORK: (text) => ({ sandbox_network: text }),
  REWRITE_WITH_ALLOW: (text) => ({ rewrite_with_allow: truth(text) }),
  DURABILITY: (text) => ({ durability: text }),
  KEEP: (text) => ({ keep: text }),
}

/** Variables of ours that are no key of the configuration. */
const others = ['HOST', 'PUBLIC_URL', 'URL', 'TRUST_URL', 'TOKEN', 'DATA', 'PORT', 'LOG_LEVEL']

/** Every variable that means something to us, without our prefix. */
export const variableNames: readonly string[] = [...Object.keys(keys), ...others]

export interface ReadEnvironment {
  readonly config: Config
  /** Variables that mean nothing to us, and are like none that does. */
  readonly unknown: readonly string[]
}

/** What the environment says. A variable that looks misspelt is refused like a misspelt key. */
export function readEnvironment(environment: Environment): Result<ReadEnvironment, Problem> {
  let config: Config = {}
  const unknown: string[] = []
  for (const [variable, text] of Object.entries(environment)) {
    if (!variable.startsWith(prefix) || text === undefined || text === '') continue
    const name = variable.slice(prefix.length)
    if (others.includes(name)) continue
    const read = Object.hasOwn(keys, name) ? keys[name] : undefined
    if (read === undefined) {
      const fault = misspelt(variable, name)
      if (fault !== undefined) return err(fault)
      unknown.push(variable)
      continue
    }
    const parsed = Config.safeParse(read(text))
    if (!parsed.success) return err(wrongValue(variable, parsed.error.issues[0]?.message ?? ''))
    config = { ...config, ...parsed.data }
  }
  return ok({ config, unknown })
}

function truth(text: string): boolean | string {
  if (['1', 'true', 'yes', 'on'].includes(text.toLowerCase())) return true
  if (['0', 'false', 'no', 'off'].includes(text.toLowerCase())) return false
  return text
}

function list(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

function misspelt(variable: string, name: string): Problem | undefined {
  const where = 'the environment'
  const key = name.toLowerCase()
  if (Object.hasOwn(plannedKeys, key)) {
    const message = `${variable} is not supported yet: ${plannedKeys[key]}.`
    return { code: 'config_invalid', message, where, next: 'unset it.' }
  }
  const near = nearestNames(name, variableNames)
  if (near.length === 0) return undefined
  return {
    code: 'config_invalid',
    message: `${variable} is not a variable that Statewright knows.`,
    where,
    next: `did you mean ${near.map((one) => prefix + one).join(' or ')}?`,
  }
}

function wrongValue(variable: string, message: string): Problem {
  return {
    code: 'config_invalid',
    message: `${variable} has a value that cannot be used (${message}).`,
    where: 'the environment',
    next: 'give it another value or unset it.',
  }
}
