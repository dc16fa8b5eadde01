import { endpoints } from '@statewright/core/wire'
import { keepPreviousData, queryOptions } from '@tanstack/react-query'
import { type ActivitySpan, activitySpans } from '../../model/runs/activity-span.ts'
import { call } from '../client/client.ts'

const hourMs = 3_600_000
/** Charts of hours need no more; each entry in the feed would ask the store to count again. */
const readEveryMs = 15_000

export function activityQuery(span: ActivitySpan) {
  return queryOptions({
    queryKey: ['activity', span],
    staleTime: 0,
    refetchInterval: readEveryMs,
    // The charts stay while another span is counted; an opened table stays open.
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => {
      const to = Date.now() + 1
      const from = to - activitySpans[span] * hourMs
      return call(endpoints.getActivity, { query: { from, to }, signal })
    },
  })
}
