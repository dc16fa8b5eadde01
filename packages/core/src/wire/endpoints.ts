import { activityEndpoints } from './activity.ts'
import { approvalEndpoints } from './approval.ts'
import { callEndpoints } from './decision.ts'
import { feedEndpoints } from './feed.ts'
import { memoryEndpoints } from './memory.ts'
import { runEndpoints } from './run-endpoints.ts'
import { sessionEndpoints } from './session.ts'
import { taskEndpoints } from './task.ts'
import { usageEndpoints } from './usage.ts'

/** Every endpoint of the API, by the name that code calls it. */
export const endpoints = {
  ...callEndpoints,
  ...runEndpoints,
  ...approvalEndpoints,
  ...feedEndpoints,
  ...sessionEndpoints,
  ...memoryEndpoints,
  ...taskEndpoints,
  ...usageEndpoints,
  ...activityEndpoints,
}
