// Installs the packed packages into an empty folder with several versions of Node, as a stranger
// would, and goes from nothing to the first denied call. It needs the network; `npm test` does the
// same without it on the pinned Node.
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

const build = join(dirname(fileURLToPath(import.meta.url)), '..', 'build')
const packages = ['statewright-core-0.1.0.tgz', 'statewright-0.1.0.tgz'].map((name) =>
  join(build, name),
)

for (const version of ['22.18.0', '24']) {
  const folder = mkdtempSync(join(tmpdir(), `statewright-node-${version}-`))
  try {
    await tryWith(version, folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

async function tryWith(version, folder) {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--no-package-lock']
  run('npm', ['install', ...flags, ...packages, `node@${version}`], folder)
  const bin = join(folder, 'node_modules', '.bin')
  const project = join(folder, 'project')
  mkdirSync(project)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  const used = run('node', ['--version'], project, env).trim()
  run('statewright', ['init', '--yes'], project, env)
  const input = '{"file_path":"a.ts","old_string":"a","new_string":"b"}'
  const definition = 'statewright/bugfix.yaml'
  const explain = ['run', 'explain', '--definition', definition, '--tool', 'Edit', '--input', input]
  const denied = run('statewright', explain, project, env, 3)
  if (!denied.startsWith('denied: Edit')) throw new Error(`not denied: ${denied}`)
  const server = spawn('statewright', ['up', '--port', '0', '--json'], { cwd: project, env })
  try {
    for await (const line of createInterface({ input: server.stdout })) {
      const page = await fetch(JSON.parse(line).url)
      if (!(await page.text()).includes('<div id="app">')) throw new Error('no dashboard')
      process.stdout.write(`Node ${used}: installed, denied, dashboard served\n`)
      return
    }
    throw new Error('the server said nothing')
  } finally {
    server.kill('SIGTERM')
  }
}

function run(command, args, cwd, env = process.env, expected = 0) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (done.status === expected) return done.stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
}
