import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runProgram, type Variables } from '../../packages/server/testing/child.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/copilot/', import.meta.url))
const platform = `copilot-${process.platform}-${process.arch}`

/** The client's own program, where `npm run test:clients` has put it. */
export const copilotProgram = join(cache, 'node_modules', '@github', platform, 'copilot')

export function isCopilotInstalled(): boolean {
  return existsSync(copilotProgram)
}

/** Nothing of the machine's own: a home of its own, and no network but the scripted model. */
export function copilotEnvironment(home: string, modelUrl: string): Variables {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    COPILOT_HOME: join(home, '.copilot'),
    COPILOT_OFFLINE: 'true',
    COPILOT_PROVIDER_BASE_URL: modelUrl,
    COPILOT_PROVIDER_API_KEY: 'not-a-key',
    COPILOT_MODEL: 'scripted',
  }
}

/** Runs the client headless, with every permission that it could give by itself. */
export function runCopilot(options: {
  readonly home: string
  readonly work: string
  readonly modelUrl: string
  readonly args?: readonly string[]
  readonly environment?: Variables
}): Promise<Ran> {
  const { home, work, modelUrl, args = [], environment = {} } = options
  const given = [
    ...['-p', 'go', '--output-format', 'json', '--allow-all', '--no-ask-user'],
    ...['--no-auto-update', '--disable-builtin-mcps'],
  ]
  return runProgram(copilotProgram, [...given, ...args], {
    cwd: work,
    environment: { ...copilotEnvironment(home, modelUrl), ...environment },
  })
}
