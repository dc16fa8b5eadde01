import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type ChatReply, startFakeChat } from '../support/fake-openai-chat.ts'
import type { DrivenClient } from './driven-client.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/opencode/', import.meta.url))
const platform = `opencode-${process.platform}-${process.arch}`

/** The client's own program, where `npm run test:clients` has put it. */
export const opencodeProgram = join(cache, 'node_modules', platform, 'bin', 'opencode')

export function isOpencodeInstalled(): boolean {
  return existsSync(opencodeProgram)
}

export function opencodeFolder(home: string): string {
  return join(home, '.config', 'opencode')
}

/** Settings of a layer of its own: the user's own files are what `install` changes. */
function writeModelSettings(home: string, baseURL: string): string {
  const options = { baseURL, apiKey: 'not-a-key' }
  const limit = { context: 100_000, output: 4000 }
  const models = { scripted: { name: 'Scripted', tool_call: true, limit } }
  const scripted = { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models }
  // One for each model: two sessions may be there at once.
  const file = join(home, `model-${new URL(baseURL).port}.json`)
  const settings = { autoupdate: false, share: 'disabled', provider: { scripted } }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(settings))
  return file
}

/** Runs the client headless; it asks for no permissions by itself. */
export function runOpencode(options: {
  readonly home: string
  readonly work: string
  readonly modelUrl: string
  readonly environment?: Variables
}): Promise<ChildResult> {
  const { home, work, modelUrl } = options
  const args = ['run', '--format', 'json', '--model', 'scripted/scripted', 'go']
  return runProgram(opencodeProgram, args, {
    cwd: work,
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      OPENCODE_CONFIG: writeModelSettings(home, modelUrl),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      ...options.environment,
    },
  })
}

const settingsFile = (home: string) => join(opencodeFolder(home), 'opencode.json')

export const opencode: DrivenClient<ChatReply> = {
  name: 'opencode',
  id: 'opencode',
  isInstalled: isOpencodeInstalled(),
  async startModel(script) {
    const { url, requests, close } = await startFakeChat(script)
    const messages = (request: number) => requests[request]?.messages ?? []
    return {
      url,
      count: () => requests.length,
      received: (request) => JSON.stringify(messages(request).slice(-2)),
      // The brief of every turn stands in the system prompt.
      brief: (request) => JSON.stringify(messages(request).filter(({ role }) => role === 'system')),
      close,
    }
  },
  run: runOpencode,
  prepare: () => {},
  write: (work, name) => ({
    tool: 'write',
    input: { filePath: join(work, name), content: 'written\n' },
  }),
  read: (filePath) => ({ tool: 'read', input: { filePath } }),
  shell: (command) => ({ tool: 'bash', input: { command, description: 'runs' } }),
  transition: (event) => ({ tool: 'statewright_statewright_transition', input: { event } }),
  switchOff({ home }) {
    const file = settingsFile(home)
    const overwrite = { tool: 'write', input: { filePath: file, content: '{}' } }
    return {
      calls: [overwrite, opencode.shell(`echo '{}' > ${file}`)],
      files: [file],
      absent: [],
    }
  },
  impersonate(home, command) {
    const mcp = { statewright: { type: 'local', command, enabled: true } }
    writeFileSync(settingsFile(home), JSON.stringify({ mcp }))
  },
  settings: {
    files: [
      {
        path: '.config/opencode/opencode.json',
        before: '{\n\t"theme": "x",\n\t"mcp": { }\n}\n',
        change: ['"x"', '"y"'],
        broken: '{ "mcp": ',
      },
    ],
    made: '.config/opencode/plugins/statewright.js',
  },
}
