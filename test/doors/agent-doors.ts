import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { codeOf } from './codes.ts'
import type { Act, Cell, Door, Outcome } from './door.ts'
import { callOf } from './http-door.ts'
import { Session } from './session-doors.ts'

const peer = (name: string) => fileURLToPath(new URL(`./peers/${name}`, import.meta.url))

/** Puts a program called `claude` into a folder, for the PATH of a server. */
export function scriptedPrograms(folder: string): string {
  mkdirSync(folder, { recursive: true })
  const file = join(folder, 'claude')
  writeFileSync(file, `#!/bin/sh\nexec '${process.execPath}' '${peer('claude.ts')}' "$@"\n`)
  chmodSync(file, 0o755)
  return folder
}

const names = { write: { tool: 'Write', capability: 'write' }, says: 'Write' }

/** Claude Code as an agent of ours: the scripted peer, which obeys its hooks. */
export const sessionClaude: Door = {
  name: 'session claude-code',
  ...names,
  async open(cell) {
    const session = await Session.start(cell, 'claude-code', {})
    const act = async (wanted: Act): Promise<Outcome> => {
      const { isDenied, text } = await tellToCall(session, wanted)
      return isDenied ? { isDenied, code: codeOf(text), text } : { isDenied, text }
    }
    return openAgent(cell, session, act)
  },
}

/** An agent that speaks ACP. It hears a yes or a no; why it was a no stands in the stream. */
export const sessionAcp: Door = {
  name: 'session acp',
  ...names,
  async open(cell) {
    const command = [process.execPath, peer('acp.ts')]
    const session = await Session.start(cell, 'acp', { command })
    const act = async (wanted: Act): Promise<Outcome> => {
      const { isDenied, text } = await tellToCall(session, wanted)
      return isDenied
        ? { isDenied, code: await codeInHistory(cell, session), text }
        : { isDenied, text }
    }
    return openAgent(cell, session, act)
  },
}

function openAgent(cell: Cell, session: Session, act: (act: Act) => Promise<Outcome>) {
  return {
    person: cell.server,
    agent: {
      runId: session.runId,
      act,
      async nextTurn() {
        await session.turn('what now?')
        return session.lastWords()
      },
      shown: () => session.statuses(),
      close: () => session.close(),
    },
  }
}

/** The last decision of the run is the one on the call that was just denied. */
async function codeInHistory({ server }: Cell, { runId }: Session): Promise<string> {
  const entries = await server.history(runId)
  return entries.findLast(({ type }) => type === 'call_decided')?.code ?? 'none'
}

/** Tells the peer to make a call, and gives back what its model would have read. */
async function tellToCall(
  session: Session,
  act: Act,
): Promise<{ isDenied: boolean; text: string }> {
  await session.turn(JSON.stringify(callOf(act)))
  return JSON.parse(await session.lastWords())
}
