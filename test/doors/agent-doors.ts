import { chmodSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf } from './codes.ts'
import type { Act, Cell, Door, Outcome } from './door.ts'
import { callOf } from './http-door.ts'
import { Session } from './session-doors.ts'

const peer = (name: string) => fileURLToPath(new URL(`./peers/${name}`, import.meta.url))

/** The agents of a server inherit nothing that would let them start faster. */
const quickNode = [
  '/usr/bin/env',
  `NODE_COMPILE_CACHE=${process.env.NODE_COMPILE_CACHE ?? ''}`,
  process.execPath,
]

/** Puts our scripted program under the name `claude` into a folder, for the PATH of a server. */
export function writeScriptedClaude(folder: string): void {
  const file = join(folder, 'claude')
  const words = [...quickNode, peer('claude.ts')].map((word) => `'${word}'`)
  writeFileSync(file, `#!/bin/sh\nexec ${words.join(' ')} "$@"\n`)
  chmodSync(file, 0o755)
}

const names = { write: { tool: 'Write', capability: 'write' }, says: 'Write' }

/** Claude Code as an agent of a session: it obeys its hooks and reads what they say. */
export function claudeDoor(): Door {
  return {
    name: 'session claude-code',
    ...names,
    async open(cell) {
      const session = await Session.start(cell, 'claude-code', {})
      return openAgent(cell, session, (read) => codeOf(read.text))
    },
  }
}

/** An agent that speaks ACP. It hears a yes or a no; why it was a no is told to people. */
export function acpDoor(options: object): Door {
  return {
    name: 'session acp',
    ...names,
    async open(cell) {
      const session = await Session.start(cell, 'acp', options)
      return openAgent(cell, session, async () => codeOf((await session.statuses()).at(-1) ?? ''))
    },
  }
}

export const scriptedClaude = claudeDoor()
export const scriptedAcpOptions = { command: [...quickNode, peer('acp.ts')] }
export const scriptedAcp = acpDoor(scriptedAcpOptions)

/** What the model of an agent read in the end. */
type Read = Pick<Outcome, 'isDenied' | 'text'>

function openAgent(
  cell: Cell,
  session: Session,
  codeFor: (denied: Read) => string | Promise<string>,
): Awaited<ReturnType<Door['open']>> {
  return {
    person: cell.server,
    agent: {
      runId: session.runId,
      async act(act) {
        const ended = await session.turn(JSON.stringify(wholeCall(cell, act)))
        if (ended !== undefined) return { isDenied: false, text: '', ended }
        const read: Read = JSON.parse(await session.lastWords())
        return read.isDenied ? { ...read, code: await codeFor(read) } : read
      },
      async nextTurn() {
        await session.turn('what now?')
        return session.lastWords()
      },
      shown: async () => (await session.statuses()).join('\n'),
      close: () => session.close(),
    },
  }
}

/** Claude Code names files by their whole paths. */
function wholeCall({ project }: Cell, act: Act): object {
  return callOf('shell' in act ? act : { ...act, write: resolve(project, act.write) })
}
