import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import {
  type ChildResult,
  runProgram,
  type Variables,
} from '../../packages/server/testing/child.ts'
import { type ResponsesReply, startFakeResponses } from '../support/fake-openai-responses.ts'
import type { DrivenClient } from './driven-client.ts'

const cache = fileURLToPath(new URL('../../.cache/clients/codex/', import.meta.url))
/** What the package calls its builds; only those that our tests can run on. */
const triples: Readonly<Record<string, string>> = {
  'linux-x64': 'x86_64-unknown-linux-musl',
  'linux-arm64': 'aarch64-unknown-linux-musl',
  'darwin-x64': 'x86_64-apple-darwin',
  'darwin-arm64': 'aarch64-apple-darwin',
}
const platform = `${process.platform}-${process.arch}`
const packageFolder = join(cache, 'node_modules', '@openai', `codex-${platform}`, 'vendor')

/** The client's own program, where `npm run test:clients` has put it. */
export const codexProgram = join(packageFolder, triples[platform] ?? 'none', 'bin', 'codex')

export function isCodexInstalled(): boolean {
  return existsSync(codexProgram)
}

/** Nothing of the machine's own: a home of its own, and no network but the scripted model. */
export function codexEnvironment(home: string): Variables {
  return {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    HOME: home,
    CODEX_HOME: join(home, '.codex'),
    FAKE_KEY: 'not-a-key',
  }
}

/** The person's own settings, which lead the client to the scripted model. */
function writeCodexConfig(home: string, modelUrl: string): void {
  const folder = join(home, '.codex')
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'config.toml'), codexConfig(modelUrl))
}

function codexConfig(modelUrl: string): string {
  return `# Mine.
model = "gpt-5.5"
model_provider = "fake"
check_for_update_on_startup = false

[model_providers.fake]
name = "fake"
base_url = "${modelUrl}"
env_key = "FAKE_KEY"
wire_api = "responses"
supports_websockets = false
request_max_retries = 0

[analytics]
enabled = false
`
}

/** Runs the client headless, without a sandbox of its own. */
export function runCodex(options: {
  readonly home: string
  readonly work: string
  readonly modelUrl: string
  readonly environment?: Variables
}): Promise<ChildResult> {
  const { home, work, modelUrl, environment = {} } = options
  const given = [
    ...['exec', '--json', '--skip-git-repo-check', '--sandbox', 'danger-full-access'],
    ...['-c', `model_providers.fake.base_url="${modelUrl}"`, '--cd', work],
  ]
  return runProgram(codexProgram, [...given, 'go'], {
    cwd: work,
    environment: { ...codexEnvironment(home), ...environment },
  })
}

export const patch = (...lines: string[]) => ({
  tool: 'apply_patch',
  words: ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n'),
})

export const codex: DrivenClient<ResponsesReply> = {
  name: 'Codex',
  id: 'codex',
  isInstalled: isCodexInstalled(),
  async startModel(script) {
    const { url, requests, close } = await startFakeResponses(script)
    const received = (request: number) => {
      const before = request === 0 ? 0 : (requests[request - 1]?.input.length ?? 0)
      return JSON.stringify(requests[request]?.input.slice(before) ?? [])
    }
    return { url, count: () => requests.length, received, brief: received, close }
  },
  run: runCodex,
  prepare: (home) => writeCodexConfig(home, 'http://127.0.0.1:9/v1'),
  write: (_work, name) => patch(`*** Add File: ${name}`, '+written'),
  read: (file) => codex.shell(`cat ${file}`),
  shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  transition: (event) => ({
    tool: 'statewright_transition',
    namespace: 'mcp__statewright',
    input: { event },
  }),
  switchOff({ home, work }) {
    const files = ['config.toml', 'hooks.json'].map((name) => join(home, '.codex', name))
    const calls = [
      patch('*** Delete File: ../.codex/hooks.json'),
      patch('*** Add File: .codex/config.toml', '+[features]', '+hooks = false'),
      codex.shell(`echo > ${files[0]}`),
    ]
    return { calls, files, absent: [join(work, '.codex')] }
  },
  settings: {
    files: [
      {
        path: '.codex/config.toml',
        before: codexConfig('http://127.0.0.1:9/v1').trimEnd(),
        change: ['# Mine.', '# Still mine.'],
        broken: 'model = ',
      },
      {
        path: '.codex/hooks.json',
        before: '{ "hooks": {"Stop": [ {"hooks": []} ]} }',
        change: ['"Stop": [ ', '"Stop":  [ '],
        broken: '{ "hooks": ',
      },
    ],
  },
}

/** Puts another program into the entry of our server. */
export function impersonateInCodex(home: string, [command, ...args]: readonly string[]): void {
  const config = join(home, '.codex', 'config.toml')
  const before = readFileSync(config, 'utf8')
  const entry = `command = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}`
  const after = before.replace(/^command = .*\nargs = .*$/m, () => entry)
  if (after === before) throw new Error('our server has no entry')
  writeFileSync(config, after)
}
