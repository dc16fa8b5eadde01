import { claudeCode } from './claude-code.ts'
import { codingClients } from './coding-clients.ts'

/** What the client would send if it asked for a write that the canary's workflow forbids. */
export function canaryBody(client: string, session: string, folder: string): object {
  const call = { id: `canary-${session}`, session, folder, file: `${folder}/statewright-canary` }
  return (codingClients.get(client) ?? claudeCode).canary(call)
}

/**
 * A workflow in which nothing may be written: what the canary must run into. No list of runs shows
 * it unless it is asked for by name.
 */
export const canaryWorkflow = {
  id: 'statewright-doctor',
  initial: 'watching',
  states: {
    watching: { allowed_tools: ['Read'], on: { DONE: 'done' } },
    done: { type: 'final' },
  },
}
