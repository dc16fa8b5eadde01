import { z } from 'zod'
import type { Harness, HarnessContext } from '../ports.ts'
import { type AcpAgent, acpAgents } from './acp-agents.ts'
import type { AcpSettings } from './acp-session.ts'
import { optionsFault } from './harness-options.ts'

const Options = z.object({
  agent: z.string().min(1).max(100).optional(),
  command: z.array(z.string().min(1).max(4096)).min(1).max(100).optional(),
})

const usualTurnMs = 3_600_000

/** Runs any agent that speaks the Agent Client Protocol (SE-12). */
export function acpHarness(settings: AcpSettings): Harness {
  return {
    name: 'acp',
    hasReadiness: false,
    runsOwnTools: true,
    llmTimeoutMs: settings.turnMs ?? usualTurnMs,
    modelOf: ({ agent }) => (typeof agent === 'string' ? { name: agent } : {}),
    async check({ options }) {
      return optionsFault(Options, options)
    },
    async start(context) {
      // The protocol's library takes a while to load: only who starts such a session waits for it.
      const { AcpSession } = await import('./acp-session.ts')
      const session = new AcpSession(agentOf(context, settings), settings, context)
      await session.open()
      return session
    },
  }
}

function agentOf({ options }: HarnessContext, settings: AcpSettings): AcpAgent {
  const { agent: name, command } = Options.parse(options)
  const [program, ...args] = command ?? []
  if (program !== undefined) {
    // Whose keys an unknown agent needs is not known either.
    const variables = Object.values(acpAgents).flatMap((agent) => agent.variables)
    return { argv: [program, ...args], variables }
  }
  const known = new Map([...Object.entries(acpAgents), ...Object.entries(settings.agents ?? {})])
  const found = name === undefined ? undefined : known.get(name)
  if (found !== undefined) return found
  throw new Error(`Set the option "agent" (${[...known.keys()].join(', ')}) or "command".`)
}
