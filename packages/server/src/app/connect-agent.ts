import { join } from 'node:path'
import type { Caller } from '../base/caller.ts'
import type { HookOptions } from '../hooks/client-hook.ts'
import type { Auth } from '../http/auth/auth.ts'
import type { AgentConnection } from '../orchestrator/ports.ts'

const hookScript = join(import.meta.dirname, '../../bin/hook.cjs')

export interface AgentServer {
  readonly auth: Auth
  readonly hooks: HookOptions
  /** Where this server is reached on this machine. */
  readonly url: () => string
}

/** A way to this server for an agent that a session starts, with keys that end with it. */
export function connectAgent({ auth, hooks, url }: AgentServer, caller: Caller): AgentConnection {
  const { tokenId, role, name, session } = caller
  if (session === undefined) throw new Error('bug: an agent is started for a session')
  const whose = { tokenId, role, name, session }
  const agent = auth.tokens.lend('agent', whose)
  const hook = auth.tokens.lend('hook', whose)
  return {
    url: url(),
    token: agent.secret,
    hookToken: hook.secret,
    hookCommand: [process.execPath, hookScript],
    takeAllowed: (callId) => hooks.toolUses.takeAllowed(caller, callId),
    close() {
      agent.giveBack()
      hook.giveBack()
    },
  }
}
