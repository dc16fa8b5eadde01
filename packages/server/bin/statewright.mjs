#!/usr/bin/env node
// Nothing is imported before the version is known to be right: an older Node would end in a trace
// about whatever it lacks first. For the same reason there is no `await` outside of a function.
const needed = [22, 18]

const [, , noun, first] = process.argv
// What clients start again and again must not wait for the rest of the command line, and answers
// on older versions as well.
const isQuick = (noun === 'hook' || noun === 'exec') && /^[^-]/.test(first || '-')

// Its answer stands in one file; loading every command to print it took a second and more.
const isVersion = process.argv.length === 3 && (noun === '--version' || noun === '-V')

// Packages bring the overview as a text, for the same reason; in a clone it is made each time.
const overview = new URL('help.txt', import.meta.url)
const isOverview = process.argv.length === 3 && ['--help', '-h', 'help'].includes(noun)

function isTooOld() {
  const [major, minor] = process.versions.node.split('.').map(Number)
  return major < needed[0] || (major === needed[0] && minor < needed[1])
}

async function printVersion() {
  const { readFileSync } = await import('node:fs')
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8')
  process.stdout.write(`${JSON.parse(manifest).version}\n`)
}

async function printOverview() {
  const { existsSync, readFileSync } = await import('node:fs')
  if (!existsSync(overview)) return false
  process.stdout.write(readFileSync(overview, 'utf8'))
  return true
}

async function start() {
  if (isVersion) return printVersion()
  if (isOverview && (await printOverview())) return
  if (!isQuick) {
    await import('./quiet-sqlite.mjs')
    await import('./keep-compiled.mjs')
  }
  await import(isQuick ? `./${noun}.cjs` : '../src/cli/main.ts')
}

if (!isQuick && isTooOld()) {
  const { node } = process.versions
  console.error(`Statewright needs Node ${needed.join('.')} or later; this is Node ${node}.`)
  console.error(
    '  next: start it with a newer Node, or run "npm run install:global" in the clone of',
  )
  console.error('  Statewright: the command that it installs brings a Node of its own.')
  process.exitCode = 1
} else {
  start()
}
