import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { Agent } from '../agent.ts'
import { serverSecret } from '../world.ts'
import { answerOf, makes, type Probe, prints, same } from './probe.ts'

const readData = prints('SQLite', ({ data }) => `head -c 6 ${data}/*.db`)

/** Opened for writing, and left as it is. */
const changeData = prints('opened', ({ data }) => `: >> ${data}/*.db && echo opened`)

const readHookKey = prints('sw_hook_', (_, { keyFile }) => `cat ${keyFile}`)

const readOtherKeys: Probe = async (world, level) => {
  const file = join(world.homeOf(level), '.ssh/id_test')
  world.write(level, file, 'a key of a person')
  return prints('a key of a person', () => `cat ${file}`)(world, level)
}

const readBlockedVariable: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { state: { blocked_env: ['DEPLOY_KEY'] } })
  // Up through all that started it: the client itself has the variable.
  const script =
    'at=$$; for _ in 1 2 3 4 5 6 7 8; do cat /proc/$at/environ; ' +
    "at=$(sed 's/.*) [A-Z] //' /proc/$at/stat | cut -d' ' -f1); done 2>/dev/null | tr '\\0' '\\n'"
  const { stdout } = await agent.program(script, { DEPLOY_KEY: serverSecret })
  return answerOf(!stdout.includes(serverSecret))
}

const changeSettings: Probe = async (world, level) => {
  const agent = await Agent.start(world, level)
  const files = ['.claude/settings.json', '.git/config', '.git/hooks/pre-commit']
  const paths = files.map((name) => world.write(level, join(world.project, name), 'old'))
  await agent.program(paths.map((path) => `echo new > ${path}`).join('\n'))
  return same(paths.map((path) => async () => answerOf(readFileSync(path, 'utf8') === 'old')))
}

const changeInnerGit: Probe = async (world, level) => {
  const agent = await Agent.start(world, level)
  const inner = join(world.project, 'vendor/one')
  const files = ['.git/HEAD', '.git/config', '.git/hooks/pre-commit']
  const [, ...paths] = files.map((name) => world.write(level, join(inner, name), 'old'))
  await agent.program(paths.map((path) => `echo new > ${path}`).join('\n'))
  return same(paths.map((path) => async () => answerOf(readFileSync(path, 'utf8') === 'old')))
}

const changeScript: Probe = async (world, level) => {
  const agent = await Agent.start(world, level)
  const file = world.write(level, join(world.project, 'package.json'), 'old')
  await agent.program(`echo new > ${file}`)
  return answerOf(readFileSync(file, 'utf8') === 'old')
}

const writeOutside = makes((_, { home, level }) => join(home, `made-${level}`))

export const probesOfFiles = {
  readData,
  changeData,
  readHookKey,
  readOtherKeys,
  readBlockedVariable,
  changeSettings,
  changeInnerGit,
  changeScript,
  writeOutside,
}
