import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type Reply, startFakeModel } from '../support/fake-anthropic.ts'
import type { DrivenClient } from './driven-client.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/claude-code/', import.meta.url))
const platform = `claude-code-${process.platform}-${process.arch}`

/** The client's own program, where `npm run test:clients` has put it. */
export const claudeProgram = join(cache, 'node_modules', '@anthropic-ai', platform, 'claude')

export function isClaudeInstalled(): boolean {
  return existsSync(claudeProgram)
}

/** Nothing of the machine's own: a home of its own, and no network but the scripted model. */
export function claudeEnvironment(home: string, model: { readonly url: string }): Variables {
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
  readonly model: { readonly url: string }
  readonly args?: readonly string[]
  readonly environment?: Variables
}): Promise<ChildResult> {
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

export const claude: DrivenClient<Reply> = {
  name: 'Claude Code',
  id: 'claude-code',
  isInstalled: isClaudeInstalled(),
  async startModel(script) {
    const { url, requests, close } = await startFakeModel(script)
    const received = (request: number) =>
      JSON.stringify(requests[request]?.messages.slice(-2) ?? [])
    return { url, count: () => requests.length, received, brief: received, close }
  },
  run: ({ modelUrl, ...options }) =>
    runClaude({ ...options, model: { url: modelUrl }, args: ['--include-hook-events'] }),
  prepare: () => {},
  write: (work, name) => ({
    tool: 'Write',
    input: { file_path: join(work, name), content: 'written\n' },
  }),
  read: (file_path) => ({ tool: 'Read', input: { file_path } }),
  shell: (command) => ({ tool: 'Bash', input: { command } }),
  transition: (event) => ({ tool: 'mcp__statewright__statewright_transition', input: { event } }),
  switchOff({ home, work }) {
    const files = [join(home, '.claude.json'), join(home, '.claude/settings.json')]
    const inProject = join(work, '.claude/settings.local.json')
    const off = JSON.stringify({ disableAllHooks: true })
    const overwrite = (file_path: string) => ({ tool: 'Write', input: { file_path, content: off } })
    const calls = [overwrite(inProject), claude.shell(`echo '${off}' > ${files[1]}`)]
    return { calls, files, absent: [inProject] }
  },
  settings: {
    files: [
      {
        path: '.claude.json',
        before: '{"numStartups": 3,\n "mcpServers":{"x":{"command":"y"}} }',
        change: ['"y"', '"z"'],
        broken: '{ "mcpServers": ',
      },
      {
        path: '.claude/settings.json',
        before: '{\n\t"model": "opus",\n\t"hooks": {}\n}\n',
        change: ['"opus"', '"haiku"'],
        broken: '{ "hooks": ',
      },
    ],
  },
}
