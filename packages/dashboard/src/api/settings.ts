import { queryOptions } from '@tanstack/react-query'
import type { ExaminedClient } from '../model/installed-clients.ts'
import { ask } from './client.ts'
import type { SeenClient } from './trust.ts'

export type Mode = 'enforce' | 'observe'

/** A call that the rules stopped or, while only observing, would have stopped. */
export interface StoppedCall {
  readonly run_id: string
  readonly workflow: string
  readonly seq: number
  readonly at: number
  readonly tool: string
  readonly state: string
  readonly decision: 'deny' | 'ask'
  readonly code: string | null
  readonly message: string
}

export interface ModeNow {
  readonly mode: Mode
  readonly since: number
  readonly configured: Mode
  /** Where the configuration says so. */
  readonly origin: string
  readonly choice: { readonly by: string; readonly at: number } | null
  readonly ended: { readonly mode: Mode; readonly by: string; readonly until: number } | null
  readonly stopped: { readonly count: number; readonly latest: readonly StoppedCall[] }
}

export const modeQuery = queryOptions({
  queryKey: ['mode'],
  staleTime: 0,
  queryFn: ({ signal }) => ask<ModeNow>('GET', '/api/mode', { signal }),
})

export interface ClientsNow {
  readonly clients: readonly SeenClient[]
  readonly report: { readonly at: number; readonly clients: readonly ExaminedClient[] } | null
}

export const clientsQuery = queryOptions({
  queryKey: ['clients'],
  staleTime: 0,
  queryFn: ({ signal }) => ask<ClientsNow>('GET', '/api/clients', { signal }),
})

export interface ServerFacts {
  readonly version: string
  readonly node: string
  readonly started_at: number
  readonly url: string
  readonly project: string
  readonly data: string
  readonly store: 'sqlite' | 'postgres'
  readonly sandbox: { readonly kind: 'bubblewrap' | 'none'; readonly why: string | null }
}

export const serverQuery = queryOptions({
  queryKey: ['server'],
  staleTime: 0,
  queryFn: ({ signal }) => ask<ServerFacts>('GET', '/api/server', { signal }),
})
