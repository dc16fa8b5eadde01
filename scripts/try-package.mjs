// Installs the packed packages as a stranger would, by "npm run install:global" with a home of its
// own and into empty folders with several versions of Node, and goes from nothing to the first
// denied call. It needs the network; `npm test` does the same without it on the pinned Node.
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

await inFolder('global', tryGlobal)
await inFolder('node-20', tryTooOld)
for (const version of ['22.18.0', '24']) {
  await inFolder(`node-${version}`, (folder) => tryWith(version, folder))
}

async function inFolder(name, work) {
  const folder = mkdtempSync(join(tmpdir(), `statewright-${name}-`))
  try {
    await work(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** The one command that README tells, with the Node that it brings along. */
async function tryGlobal(folder) {
  const script = join(build, '..', 'scripts', 'install-global.mjs')
  run('node', [script], folder, { ...process.env, HOME: folder, XDG_DATA_HOME: '' })
  await tryCommand('install:global', folder, join(folder, '.local', 'bin'))
}

/** A Node that is too old is told so, and by nothing else. */
async function tryTooOld(folder) {
  const bin = installWith('20', folder)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  const done = spawnSync('statewright', ['--help'], { cwd: folder, env, encoding: 'utf8' })
  if (
    done.status !== 1 ||
    !/^Statewright needs Node \S+ or later; .+\n {2}next: /.test(done.stderr)
  ) {
    throw new Error(`Node 20 was told: ${done.stdout}${done.stderr}`)
  }
  process.stdout.write(`Node 20: ${done.stderr}`)
}

function installWith(version, folder) {
  const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--no-package-lock']
  run('npm', ['install', ...flags, ...packages, `node@${version}`], folder)
  return join(folder, 'node_modules', '.bin')
}

async function tryWith(version, folder) {
  const bin = installWith(version, folder)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
  const used = run('node', ['--version'], folder, env).trim()
  await tryCommand(`Node ${used}`, folder, bin)
}

async function tryCommand(name, folder, bin) {
  const project = join(folder, 'project')
  mkdirSync(project)
  const env = { PATH: `${bin}:${process.env.PATH}`, HOME: folder }
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
      process.stdout.write(`${name}: installed, denied, dashboard served\n`)
      return
    }
    throw new Error('the server said nothing')
  } finally {
    // It still writes while it stops, into the folder that is removed next.
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.kill('SIGTERM')
    await ended
  }
}

function run(command, args, cwd, env = process.env, expected = 0) {
  const done = spawnSync(command, args, { cwd, env, encoding: 'utf8' })
  if (done.status === expected) return done.stdout
  throw new Error(`${command} ${args.join(' ')} ended with ${done.status}: ${done.stderr}`)
}
