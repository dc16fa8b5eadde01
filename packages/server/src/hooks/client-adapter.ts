import type { CodingClient } from '../clients/client.ts'
import { codingClients } from '../clients/coding-clients.ts'
import type { Adapter } from '../guard/guarded-call.ts'
import type { RuntimeSettings } from '../runtime/settings.ts'

/**
 * A coding client as the guarded call sees it: it runs commands itself, or through us where a hook
 * may replace its input. Some take another one only with an allow, which waives their own prompt
 * (invariant 9).
 */
export function clientAdapter(
  { name, rewrites, readsByShell }: CodingClient,
  settings: RuntimeSettings,
  { canRewrite }: { readonly canRewrite: boolean },
): Adapter {
  const mayRewrite =
    rewrites === 'freely' || (rewrites === 'with_allow' && settings.rewriteWithAllow)
  return {
    name,
    runs: canRewrite && mayRewrite ? 'rewritten' : 'as_it_is',
    waitsMs: 0,
    readsByShell,
    results: 'observed',
  }
}

/** The adapter of a client by its name, for a call that is only asked about. */
export function adapterNamed(
  name: string | null | undefined,
  settings: RuntimeSettings,
): Adapter | undefined {
  const client = codingClients.get(name ?? '')
  return client === undefined ? undefined : clientAdapter(client, settings, { canRewrite: true })
}
