import { chmodSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { Agent } from '../agent.ts'
import { isAlive, serverSecret } from '../world.ts'
import { answerOf, type Probe, prints } from './probe.ts'

/** Another server than that of the other probes: where this does not hold, it is gone. */
const killServer: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { network: 'off' })
  const { stdout } = await agent.program(`kill -9 ${agent.server.pid} && echo sent`)
  if (stdout.includes('sent')) {
    await agent.server.ended
    return 'does not hold'
  }
  return answerOf((await agent.server.ask('GET', '/api/me')).status === 200)
}

const readServer = prints(serverSecret, (_, { server }) => `cat /proc/${server.pid}/environ`)

/** It has left its group and wiped the mark by which we would find it. */
const outlive: Probe = async (world, level) => {
  const agent = await Agent.start(world, level, { state: { env_overrides: { A: 'b' } } })
  const file = join(world.project, `outlived-${level}`)
  const inner = `echo \\$\\$ > ${file}; exec sleep 1000`
  const { stdout } = await agent.program(
    `(env -i /usr/bin/setsid /bin/sh -c "${inner}" </dev/null >/dev/null 2>&1 &)\n` +
      `until [ -s ${file} ]; do sleep 0.02; done\n` +
      // Its number outside, where it has one: inside of a sandbox it is another.
      `cat ${file}`,
  )
  const { stdout: found } = await agent.unasked('pgrep -x -f "sleep 1000"')
  const pids = found.split('\n').filter((line) => line !== '')
  if (level === 'L1') return answerOf(pids.length === 0)
  const pid = Number(stdout)
  const isLeft = isAlive(pid)
  if (isLeft) process.kill(pid, 'SIGKILL')
  return answerOf(!isLeft)
}

const connectTo = (port: number) => `exec 3<>/dev/tcp/127.0.0.1/${port} && echo connected`

const connectToPort = prints('connected', (_, { server }) =>
  connectTo(Number(new URL(server.url).port)),
)

const askWithoutKey: Probe = async (world, level) => {
  const agent = await Agent.start(world, level)
  const { port } = new URL(agent.server.url)
  const request = `POST /api/runs/${agent.runId}/transition HTTP/1.0\\r\\nHost: 127.0.0.1:${port}`
  const { stdout } = await agent.program(
    `exec 3<>/dev/tcp/127.0.0.1/${port}; printf '${request}\\r\\n\\r\\n' >&3; cat <&3`,
  )
  return answerOf(stdout.includes('unauthenticated'))
}

const reachNetwork: Probe = (world, level) =>
  listening({ port: 0, host: '127.0.0.1' }, (server) => {
    const address = server.address()
    if (address === null || typeof address === 'string') throw new Error('no port')
    const options = { network: 'off' } as const
    return prints('connected', () => connectTo(address.port), options)(world, level)
  })

function connectToSocket(
  folderOf: (folder: string) => string,
  options: { readonly network?: 'off' } = {},
): Probe {
  return (world, level) => {
    const path = join(folderOf(world.folder), `statewright-${level}-${process.pid}.sock`)
    return listening({ path }, () => {
      // As that of a service which trusts whoever connects.
      chmodSync(path, 0o777)
      const code =
        `require("net").connect(${JSON.stringify(path)})` +
        '.on("connect", () => { console.log("connected"); process.exit() }).on("error", () => {})'
      return prints('connected', () => `'${world.node}' -e '${code}'`, options)(world, level)
    })
  }
}

async function listening<T>(
  at: { readonly port?: number; readonly host?: string; readonly path?: string },
  use: (server: Server) => Promise<T>,
): Promise<T> {
  const server = createServer((socket) => socket.on('error', () => {}).resume())
  await new Promise<void>((resolve) => server.listen(at, resolve))
  try {
    return await use(server)
  } finally {
    await new Promise((resolve) => server.close(resolve))
  }
}

export const probesOfProcesses = {
  killServer,
  readServer,
  outlive,
  connectToPort,
  askWithoutKey,
  reachNetwork,
  connectToScratchSocket: connectToSocket(() => '/tmp'),
  connectOffline: connectToSocket((folder) => folder, { network: 'off' }),
  connectToOtherSocket: connectToSocket((folder) => folder),
}
