// Makes the packages that people install: plain JavaScript with types, the dashboard built in.
// Everything is put together under build/, so that nothing in the sources changes for it.
import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleProgram } from './package/bundle-program.ts'

const root = join(dirname(fileURLToPath(import.meta.url)), '..')
const build = join(root, 'build')
const from = (...path: string[]) => join(root, ...path)

rmSync(build, { recursive: true, force: true })
say('Building the packages: the core')
compile('core')
say('Building the packages: the server and the command line')
compile('server')
say('Building the packages: the dashboard')
run('node', [from('scripts', 'build-dashboard.ts')])

cpSync(from('packages', 'dashboard', 'dist'), join(build, 'server', 'dashboard'), {
  recursive: true,
})
leaveOnlyBrotli(join(build, 'server', 'dashboard'))
for (const folder of ['bin', 'templates', 'plugin']) {
  cpSync(from('packages', 'server', folder), join(build, 'server', folder), { recursive: true })
}
for (const folder of ['guide', 'reference']) {
  cpSync(from('docs', folder), join(build, 'server', 'docs', folder), { recursive: true })
}
const pages = readdirSync(from('docs', 'guide')).filter((file) => file.endsWith('.md'))
for (const page of pages) {
  const text = readFileSync(from('docs', 'guide', page), 'utf8')
  for (const [, image = ''] of text.matchAll(/\(\.\.\/images\/([\w-]+\.(?:png|svg))\)/g)) {
    cpSync(from('docs', 'images', image), join(build, 'server', 'docs', 'images', image))
  }
}
pointAtJavaScript(join(build, 'server'))
await bundleProgram({ dist: join(build, 'server', 'dist'), modules: from('node_modules') })
writeOverview(join(build, 'server', 'bin', 'help.txt'))
for (const name of ['core', 'server']) {
  cpSync(from('LICENSE'), join(build, name, 'LICENSE'))
  cpSync(from('packages', name, 'README.md'), join(build, name, 'README.md'))
}
writeManifest('core', {
  exports: {
    '.': { types: './dist/index.d.ts', default: './dist/index.js' },
    './shell': { types: './dist/shell/index.d.ts', default: './dist/shell/index.js' },
    './wire': { types: './dist/wire/index.d.ts', default: './dist/wire/index.js' },
    './internal': { types: './dist/internal.d.ts', default: './dist/internal.js' },
  },
  files: ['dist'],
})
writeManifest('server', {
  exports: {
    '.': { types: './dist/sdk/sdk.d.ts', default: './dist/sdk/sdk.js' },
    './sdk': { types: './dist/sdk/sdk.d.ts', default: './dist/sdk/sdk.js' },
    './package.json': './package.json',
  },
  files: ['bin', 'dashboard', 'dist', 'docs', 'plugin', 'templates'],
})
if (process.argv.includes('--pack')) {
  for (const name of ['core', 'server']) {
    run('npm', ['pack', '--silent', '--pack-destination', build, join(build, name)])
  }
}

/** Whoever waits sees that something happens; what is data stays on standard output. */
function say(line: string): void {
  process.stderr.write(`${line}\n`)
}

/** What `statewright --help` says. Loading every command to say it takes a second and more. */
function writeOverview(file: string): void {
  const bin = from('packages', 'server', 'bin', 'statewright.mjs')
  const { status, stdout } = spawnSync(process.execPath, [bin, '--help'], { encoding: 'utf8' })
  if (status !== 0) throw new Error('the command line does not say what it can do')
  writeFileSync(file, stdout)
}

function compile(name: 'core' | 'server'): void {
  run('tsc', ['-p', from('packages', name, 'tsconfig.build.json')])
}

/** The server makes of it what else a browser may want: the package need not hold it twice. */
function leaveOnlyBrotli(folder: string): void {
  for (const name of readdirSync(folder, { recursive: true, encoding: 'utf8' })) {
    if (name.endsWith('.br')) rmSync(join(folder, name.slice(0, -3)))
  }
  rmSync(join(folder, '.vite'), { recursive: true, force: true })
}

/** Names of our own files that only occur in texts, which the compiler leaves alone. */
function pointAtJavaScript(server: string): void {
  replaceIn(join(server, 'bin'), /'\.\.\/src\/cli\/main\.ts'/g, "'../dist/program/main.js'")
  replaceIn(join(server, 'dist'), /new URL\('(\.[^']*)\.ts'/g, "new URL('$1.js'")
}

function replaceIn(folder: string, pattern: RegExp, by: string): void {
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || !/\.[cm]?js$/.test(entry.name)) continue
    const file = join(entry.parentPath, entry.name)
    const text = readFileSync(file, 'utf8')
    const changed = text.replaceAll(pattern, by)
    if (changed !== text) writeFileSync(file, changed)
  }
}

function writeManifest(name: 'core' | 'server', published: object): void {
  const manifest = JSON.parse(readFileSync(from('packages', name, 'package.json'), 'utf8'))
  mkdirSync(join(build, name), { recursive: true })
  const text = JSON.stringify({ ...manifest, ...published }, null, 2)
  writeFileSync(join(build, name, 'package.json'), `${text}\n`)
}

function run(command: string, args: readonly string[]): void {
  const done = spawnSync(command, args, { cwd: root, stdio: ['ignore', 'inherit', 'inherit'] })
  if (done.status !== 0) throw new Error(`${command} ${args.join(' ')} did not finish`)
}
