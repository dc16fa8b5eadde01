// Puts the real coding clients into a cache folder and runs the tests that drive them; arguments
// go to the test runner. They are no dependencies of ours: nobody needs hundreds of megabytes of
// them to use or build this.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const cache = join(root, '.cache', 'clients')
const runner = join(root, 'node_modules', 'vitest', 'vitest.mjs')

/** Versions whose hooks our adapters were held against. */
const clients = [
  { name: 'claude-code', package: '@anthropic-ai/claude-code', version: '2.1.325' },
  { name: 'codex', package: '@openai/codex', version: '0.166.0' },
  { name: 'gemini', package: '@google/gemini-cli', version: '0.61.0' },
  { name: 'opencode', package: 'opencode-ai', version: '1.18.33' },
  { name: 'copilot', package: '@github/copilot', version: '1.0.102' },
  { name: 'claude-acp', package: '@agentclientprotocol/claude-agent-acp', version: '0.99.1' },
]

for (const client of clients) {
  const folder = join(cache, client.name)
  if (installedVersion(folder, client.package) === client.version) continue
  process.stderr.write(`Installing ${client.package} ${client.version} (once)\n`)
  mkdirSync(folder, { recursive: true })
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm'
  const requested = `${client.package}@${client.version}`
  // Their install scripts only link the program that the tests start directly.
  const flags = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel=error']
  const done = spawnSync(npm, ['install', '--prefix', folder, ...flags, requested], {
    cwd: folder,
    stdio: ['ignore', process.stderr, process.stderr],
    shell: process.platform === 'win32',
  })
  if (done.status !== 0) {
    process.stderr.write(`clients_failed: ${requested} could not be installed.\n  in: ${folder}\n`)
    process.stderr.write('  next: check the network and run the command again.\n')
    process.exit(1)
  }
}

// By the variable the tests know that minutes may pass: "npm test" drives one client only.
const tests = spawnSync(process.execPath, [runner, 'run', ...requestedTests()], {
  stdio: 'inherit',
  env: { ...process.env, STATEWRIGHT_TEST_CLIENTS: 'all' },
})
process.exit(tests.status ?? 1)

function requestedTests() {
  const given = process.argv.slice(2)
  return given.length === 0 ? ['test/clients'] : given
}

function installedVersion(folder, name) {
  const file = join(folder, 'node_modules', name, 'package.json')
  return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')).version : undefined
}
