import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runProgram, type Variables } from '../../packages/server/testing/child.ts'
import type { FakeModel } from '../support/fake-anthropic.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/claude-code/', import.meta.url))
const platform = `claude-code-${process.platform}-${process.arch}`

/** The client's own program, where `npm run test:clients` has put it. */
export const claudeProgram = join(cache, 'node_modules', '@anthropic-ai', platform, 'claude')

export function isClaudeInstalled(): boolean {
  return existsSync(claudeProgram)
}

/** Nothing of the machine's own: a home of its own, and no network but the scripted model. */
export function claudeEnvironment(home: string, model: FakeModel): Variables {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    ANTHROPIC_BASE_URL: model.url,
    ANTHROPIC_API_KEY: 'not-a-key',
    CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1',
    DISABLE_AUTOUPDATER: '1',
    DISABLE_TELEMETRY: '1',
    DISABLE_ERROR_REPORTING: '1',
  }
}

/** Runs the client headless, with every permission that it could give by itself. */
export function runClaude(options: {
  readonly home: string
  readonly work: string
  readonly model: FakeModel
  readonly args?: readonly string[]
  readonly environment?: Variables
}): Promise<Ran> {
  const { home, work, model, args = [], environment = {} } = options
  const given = [
    ...['-p', 'go', '--output-format', 'stream-json', '--verbose'],
    ...['--permission-mode', 'acceptEdits'],
    ...['--allowedTools', `Bash,Write,Edit,Agent,${ours}`],
  ]
  return runProgram(claudeProgram, [...given, ...args], {
    cwd: work,
    environment: { ...claudeEnvironment(home, model), ...environment },
  })
}

const ours = ['transition', 'get_state', 'load_workflow', 'pause']
  .map((name) => `mcp__statewright__statewright_${name}`)
  .join(',')
