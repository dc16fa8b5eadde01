import { queryOptions } from '@tanstack/react-query'
import { ask, segment } from './client.ts'

/** The definitions that a run is bound to. They never change, whatever becomes of the workflow. */
export function programQuery(runId: string) {
  return queryOptions({
    queryKey: ['program', runId],
    queryFn: ({ signal }) =>
      ask<{ program_hash: string; program: unknown }>(
        'GET',
        `/api/runs/${segment(runId)}/program`,
        {
          signal,
        },
      ),
  })
}
