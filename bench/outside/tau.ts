import { guardOf, type OutsideGuard } from './guard.ts'

/** "The current time is 2024-05-15 15:00:00 EST", and all times of the database are local ones. */
const at = Date.parse('2024-05-15T15:00:00Z')

/** The guard of a tau-bench domain. What the customer says is the task, as it comes. */
export function create({ domain }: { readonly domain: string }) {
  const file = new URL(`../../examples/tau/${domain}.yaml`, import.meta.url)
  const guard: OutsideGuard = guardOf({ file, server: domain, at })
  return guard
}

// biome-ignore lint/style/noDefaultExport: the player of the set asks for one
export { create as default }
