import { existsSync, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { Agent } from '../agent.ts'
import { hookFile } from '../world.ts'
import { answerOf, judged, type Probe } from './probe.ts'

const write = (path: string) => ['Write', { file_path: path, content: 'x' }] as const
const bash = (command: string) => ['Bash', { command }] as const

const forbiddenCall: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { state: { allowed_tools: ['Read'] } })
  return agent.judged(...write(join(world.project, 'notes.md')))
}

const changeGuard = judged(({ project }, { home }) => [
  write(join(project, 'statewright.yaml')),
  write(join(project, '.claude/settings.json')),
  write(join(home, '.claude/settings.json')),
  write(hookFile),
  bash(`echo x > ${project}/.mcp.json`),
])

const changeLater = judged(({ project }) => {
  mkdirSync(join(project, '.git'), { recursive: true })
  return [
    write(join(project, '.git/hooks/pre-commit')),
    write(join(project, '.github/workflows/ci.yml')),
    write(join(project, 'packages/one/.npmrc')),
    write(join(project, '.vscode/tasks.json')),
    bash('git config core.pager evil'),
  ]
})

const readKeysByCall = judged(({ data, home }) => [
  ['Read', { file_path: join(home, '.local/state/statewright/logins.json') }],
  bash(`cat ${data}/*.db`),
  bash(`find ${home} -name logins.json -exec cat {} +`),
])

/** A command whose words do not tell which file it reads, though all of it is listed. */
const readDataByName: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { state: { allowed_commands: ['cat', 'head'] } })
  world.write(level, join(world.project, 'names'), join(world.data, 'statewright.db'))
  const line = 'head -c 6 $(cat names)'
  const { denied, command = line } = await agent.before(...bash(line))
  if (denied !== undefined) return 'holds'
  const { stdout } = await agent.unasked(command)
  return answerOf(!stdout.includes('SQLite'))
}

const reachServerByCall = judged((_, { server }) => [
  bash(`kill -9 ${server.pid}`),
  bash(`curl -s ${server.url}/api/runs`),
])

const noServer: Probe = async (world, level) => {
  const agent = await Agent.start(world, level)
  const free = createServer()
  await new Promise<void>((resolve) => free.listen(0, '127.0.0.1', resolve))
  const address = free.address()
  await new Promise((resolve) => free.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no port')
  const url = `http://127.0.0.1:${address.port}`
  const key = { url, token: agent.token, hook_token: agent.token }
  world.write(level, agent.keyFile, JSON.stringify(key))
  const { denied = '' } = await agent.before(...write(join(world.project, 'notes.md')))
  return answerOf(denied.includes('the server does not answer'))
}

const withoutHooks: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { state: { allowed_tools: ['Read'] } })
  const made = join(world.project, `unasked-${level}`)
  await agent.unasked(`echo x > ${made}`)
  return answerOf(!existsSync(made))
}

export const probesOfCalls = {
  forbiddenCall,
  changeGuard,
  changeLater,
  readKeysByCall,
  readDataByName,
  reachServerByCall,
  noServer,
  withoutHooks,
}
