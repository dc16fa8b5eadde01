import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type ChatReply, startFakeChat } from '../support/fake-openai-chat.ts'
import type { DrivenClient } from './driven-client.ts'

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
}): Promise<ChildResult> {
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

const create = (path: string, file_text: string) => ({ tool: 'create', input: { path, file_text } })

export const copilot: DrivenClient<ChatReply> = {
  name: 'Copilot CLI',
  id: 'copilot',
  isInstalled: isCopilotInstalled(),
  async startModel(script) {
    const { url, requests, close } = await startFakeChat(script)
    const received = (request: number) => {
      // The first message is the client's own long instruction.
      const before = request === 0 ? 1 : (requests[request - 1]?.messages.length ?? 0)
      return JSON.stringify(requests[request]?.messages.slice(before) ?? [])
    }
    return { url, count: () => requests.length, received, brief: received, close }
  },
  run: runCopilot,
  prepare: () => {},
  write: (work, name) => create(join(work, name), 'written\n'),
  read: (path) => ({ tool: 'view', input: { path } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'x' } }),
  transition: (event) => ({ tool: 'statewright-statewright_transition', input: { event } }),
  switchOff({ home, work }) {
    const hooks = join(home, '.copilot/hooks/statewright.json')
    const servers = join(home, '.copilot/mcp-config.json')
    const inProject = join(work, '.github/hooks/x.json')
    const calls = [create(hooks, '{}'), create(inProject, '{}'), copilot.shell(`rm ${servers}`)]
    return { calls, files: [hooks, servers], absent: [dirname(dirname(inProject))] }
  },
  settings: {
    files: [
      {
        path: '.copilot/mcp-config.json',
        before: '{\n\t"mcpServers": {"x": {"command": "y"} }\n}\n',
        change: ['"y"', '"z"'],
        broken: '{ "mcpServers": ',
      },
    ],
    made: '.copilot/hooks/statewright.json',
  },
}
