import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type GeminiReply, startFakeGemini } from '../support/fake-gemini.ts'
import type { DrivenClient } from './driven-client.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/gemini/', import.meta.url))

/** The client's own program, where `npm run test:clients` has put it. */
export const geminiProgram = join(cache, 'node_modules/@google/gemini-cli/bundle/gemini.js')

export function isGeminiInstalled(): boolean {
  return existsSync(geminiProgram)
}

/** What the client needs to speak to a scripted model and to nobody else. */
export const quietSettings = {
  security: { auth: { selectedType: 'gemini-api-key' } },
  privacy: { usageStatisticsEnabled: false },
  telemetry: { enabled: false },
  general: { enableAutoUpdate: false },
}

export function geminiSettingsFile(home: string): string {
  return join(home, '.gemini', 'settings.json')
}

export function writeGeminiSettings(home: string, text: string): void {
  const file = geminiSettingsFile(home)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

export function readGeminiSettings(home: string): string {
  return readFileSync(geminiSettingsFile(home), 'utf8')
}

function environment(home: string, more: Variables): Variables {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    GEMINI_API_KEY: 'not-a-key',
    GEMINI_CLI_NO_RELAUNCH: 'true',
    ...more,
  }
}

/** Runs the client headless, with every permission that it could give by itself. */
export function runGemini(options: {
  readonly home: string
  readonly work: string
  readonly modelUrl: string
  readonly environment?: Variables
}): Promise<ChildResult> {
  const { home, work, modelUrl } = options
  const args = ['-p', 'go', '--output-format', 'stream-json', '--approval-mode', 'yolo']
  return runProgram(
    process.execPath,
    [geminiProgram, ...args, '--model', 'gemini-2.5-pro', '--skip-trust'],
    {
      cwd: work,
      environment: environment(home, {
        GOOGLE_GEMINI_BASE_URL: modelUrl,
        ...options.environment,
      }),
    },
  )
}

/** A command of the client that asks no model, such as `extensions validate`. */
export function commandGemini(home: string, args: readonly string[]): Promise<ChildResult> {
  const options = { cwd: home, environment: environment(home, {}) }
  return runProgram(process.execPath, [geminiProgram, ...args], options)
}

export const geminiSettings = `${JSON.stringify(quietSettings, null, 2)}\n`

export const gemini: DrivenClient<GeminiReply> = {
  name: 'Gemini CLI',
  id: 'gemini',
  isInstalled: isGeminiInstalled(),
  async startModel(script) {
    const { url, requests, close } = await startFakeGemini(script)
    const received = (request: number) =>
      JSON.stringify(requests[request]?.contents.slice(-2) ?? [])
    return { url, count: () => requests.length, received, brief: received, close }
  },
  run: runGemini,
  prepare: (home) => writeGeminiSettings(home, geminiSettings),
  write: (work, name) => ({
    tool: 'write_file',
    input: { file_path: join(work, name), content: 'written\n' },
  }),
  read: (file_path) => ({ tool: 'read_file', input: { file_path } }),
  shell: (command) => ({ tool: 'run_shell_command', input: { command } }),
  transition: (event) => ({ tool: 'mcp_statewright_statewright_transition', input: { event } }),
  switchOff({ home, work }) {
    const file = geminiSettingsFile(home)
    // Outside of its folder the client writes nothing by itself; a project has settings too.
    const inProject = join(work, '.gemini/settings.json')
    const overwrite = { tool: 'write_file', input: { file_path: inProject, content: '{}' } }
    const calls = [overwrite, gemini.shell(`echo '{}' > ${file}`)]
    return { calls, files: [file], absent: [inProject] }
  },
  impersonate(home, [command, ...args]) {
    const settings = JSON.parse(readGeminiSettings(home))
    const changed = { ...settings, mcpServers: { statewright: { command, args } } }
    writeGeminiSettings(home, JSON.stringify(changed))
  },
  settings: {
    files: [
      {
        path: '.gemini/settings.json',
        before: '{\n\t"theme": "x",\n\t"hooks": {"AfterTool": []}\n}\n',
        change: ['"x"', '"y"'],
        broken: '{ "hooks": ',
      },
    ],
  },
}
