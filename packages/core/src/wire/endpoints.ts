import { approvalEndpoints } from './approval.ts'
import { callEndpoints } from './decision.ts'
import { feedEndpoints } from './feed.ts'
import { runEndpoints } from './run-endpoints.ts'
import { sessionEndpoints } from './session.ts'

/** Every endpoint of the API, by the name that code calls it. */
export const endpoints = {
  ...callEndpoints,
  ...runEndpoints,
  ...approvalEndpoints,
  ...feedEndpoints,
  ...sessionEndpoints,
}
