import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runProgram, type Variables } from '../../packages/server/testing/child.ts'
import type { FakeChat } from '../support/fake-openai-chat.ts'

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
export function writeModelSettings(home: string, model: FakeChat): string {
  const options = { baseURL: model.url, apiKey: 'not-a-key' }
  const limit = { context: 100_000, output: 4000 }
  const models = { scripted: { name: 'Scripted', tool_call: true, limit } }
  const scripted = { npm: '@ai-sdk/openai-compatible', name: 'Scripted', options, models }
  const file = join(home, 'model.json')
  const settings = { autoupdate: false, share: 'disabled', provider: { scripted } }
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, JSON.stringify(settings))
  return file
}

/** Runs the client headless; it asks for no permissions by itself. */
export function runOpencode(options: {
  readonly home: string
  readonly work: string
  readonly model: FakeChat
  readonly environment?: Variables
}): Promise<Ran> {
  const { home, work, model } = options
  const args = ['run', '--format', 'json', '--model', 'scripted/scripted', 'go']
  return runProgram(opencodeProgram, args, {
    cwd: work,
    environment: {
      PATH: '/usr/local/bin:/usr/bin:/bin',
      HOME: home,
      OPENCODE_CONFIG: writeModelSettings(home, model),
      OPENCODE_DISABLE_AUTOUPDATE: '1',
      OPENCODE_DISABLE_MODELS_FETCH: '1',
      OPENCODE_DISABLE_LSP_DOWNLOAD: '1',
      OPENCODE_DISABLE_DEFAULT_PLUGINS: '1',
      ...options.environment,
    },
  })
}
