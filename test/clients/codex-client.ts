import { existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Ran, runProgram, type Variables } from '../../packages/server/testing/child.ts'

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
export function writeCodexConfig(home: string, modelUrl: string): string {
  const folder = join(home, '.codex')
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'config.toml')
  writeFileSync(file, codexConfig(modelUrl))
  return file
}

export function codexConfig(modelUrl: string): string {
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
}): Promise<Ran> {
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
