// Puts the built packages where every project of this user can use them: the program and the Node
// that runs it into one folder of their own, and the command `statewright` into ~/.local/bin. It
// needs no rights of an administrator, and no other Node than the one that the repository brings.
import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, dirname, isAbsolute, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const home = process.env.HOME || homedir()
const { XDG_DATA_HOME: dataHome = '' } = process.env
const data = isAbsolute(dataHome) ? dataHome : join(home, '.local', 'share')
const folder = join(data, 'statewright')
const command = join(home, '.local', 'bin', 'statewright')
const mark = '# Written by "npm run install:global" of Statewright.'

if (process.platform === 'win32') {
  fail('This works on Linux and macOS only.', 'on Windows, run it inside WSL.')
}
if (existsSync(command) && !readFileSync(command, 'utf8').includes(mark)) {
  fail(`${command} is there already and is not ours.`, 'move it away and run this again.')
}

// Beside the old one, which clients may be using, until the new one is whole.
const fresh = `${folder}.new`
rmSync(fresh, { recursive: true, force: true })
mkdirSync(join(fresh, 'bin'), { recursive: true })
writeFileSync(join(fresh, 'package.json'), '{ "private": true }\n')
const packages = ['statewright-core-0.1.0.tgz', 'statewright-0.1.0.tgz']
const flags = ['--no-audit', '--no-fund', '--loglevel=error', '--omit=dev', '--no-package-lock']
const paths = packages.map((name) => join(root, 'build', name))
const installed = spawnSync('npm', ['install', '--prefix', fresh, ...flags, ...paths], {
  cwd: fresh,
  stdio: ['ignore', process.stderr, process.stderr],
})
if (installed.status !== 0) fail('npm install did not finish.', 'check the network and try again.')
copyFileSync(join(root, 'node_modules', 'node', 'bin', 'node'), join(fresh, 'bin', 'node'))
chmodSync(join(fresh, 'bin', 'node'), 0o755)

const old = `${folder}.old`
rmSync(old, { recursive: true, force: true })
if (existsSync(folder)) renameSync(folder, old)
renameSync(fresh, folder)
rmSync(old, { recursive: true, force: true })

const program = join(folder, 'node_modules', 'statewright', 'bin', 'statewright.mjs')
const line = `exec ${quoted(join(folder, 'bin', 'node'))} ${quoted(program)} "$@"`
mkdirSync(dirname(command), { recursive: true })
writeFileSync(command, `#!/bin/sh\n${mark}\n${line}\n`)
chmodSync(command, 0o755)

process.stdout.write(`Installed: ${command}\n`)
if (!(process.env.PATH ?? '').split(delimiter).includes(dirname(command))) {
  process.stdout.write(
    'Your shell does not look there yet. Run this, and add it to the start file of\n' +
      'your shell:\n' +
      '  export PATH="$HOME/.local/bin:$PATH"\n',
  )
}
process.stdout.write('Next: in the folder of your project, run "statewright init".\n')

function quoted(word) {
  return `'${word.replaceAll("'", "'\\''")}'`
}

function fail(message, next) {
  process.stderr.write(`install_failed: ${message}\n  next: ${next}\n`)
  process.exit(1)
}
