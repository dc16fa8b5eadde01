import { guardOf, type OutsideGuard } from './guard.ts'

/** The office of the workspace suite lives on 15 May 2024. */
const at = Date.parse('2024-05-15T12:00:00Z')

/** The guard of an AgentDojo suite: one definition for all tasks, and the user's own words. */
export function create(suite: { readonly suite: string }, run: { readonly prompt: string }) {
  const file = new URL(`../../examples/agentdojo/${suite.suite}.yaml`, import.meta.url)
  const guard: OutsideGuard = guardOf({ file, server: suite.suite, task: run.prompt, at })
  return guard
}

// biome-ignore lint/style/noDefaultExport: the player of the set asks for one
export { create as default }
