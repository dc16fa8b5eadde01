import { endpoints } from '@statewright/core/wire'
import { queryOptions } from '@tanstack/react-query'
import { call } from './client.ts'

/** The definitions that a run is bound to. They never change, whatever becomes of the workflow. */
export function programQuery(id: string) {
  return queryOptions({
    queryKey: ['program', id],
    queryFn: ({ signal }) => call(endpoints.getProgram, { params: { id }, signal }),
  })
}
