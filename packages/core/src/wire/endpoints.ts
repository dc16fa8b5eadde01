import { activityEndpoints } from './activity.ts'
import { approvalEndpoints } from './approval.ts'
import { archiveEndpoints } from './archive.ts'
import { clientEndpoints } from './client.ts'
import { configEndpoints } from './config.ts'
import { callEndpoints } from './decision.ts'
import { demoEndpoints } from './demo.ts'
import { descriptionEndpoints } from './description.ts'
import { docEndpoints } from './docs.ts'
import { execEndpoints } from './exec.ts'
import { feedEndpoints } from './feed.ts'
import { loginEndpoints, loginPageEndpoints } from './login.ts'
import { memoryEndpoints } from './memory.ts'
import { modeEndpoints } from './mode.ts'
import { passkeyEndpoints } from './passkey.ts'
import { peerEndpoints } from './peers.ts'
import { policyEndpoints } from './policy.ts'
import { processEndpoints } from './process.ts'
import { proofEndpoints } from './proof.ts'
import { replayEndpoints } from './replay.ts'
import { runEndpoints } from './run-endpoints.ts'
import { serverEndpoints } from './server.ts'
import { sessionEndpoints } from './session.ts'
import { taskEndpoints } from './task.ts'
import { templateEndpoints } from './template.ts'
import { tokenEndpoints } from './token.ts'
import { trustEndpoints } from './trust.ts'
import { usageEndpoints } from './usage.ts'
import { workflowEndpoints } from './workflow.ts'

/**
 * Every endpoint of the API, by the name that code calls it. A new one needs its steps in
 * test/wire, which compares its answers with its shapes.
 */
export const endpoints = {
  ...callEndpoints,
  ...runEndpoints,
  ...approvalEndpoints,
  ...workflowEndpoints,
  ...processEndpoints,
  ...policyEndpoints,
  ...replayEndpoints,
  ...archiveEndpoints,
  ...templateEndpoints,
  ...demoEndpoints,
  ...docEndpoints,
  ...feedEndpoints,
  ...sessionEndpoints,
  ...memoryEndpoints,
  ...taskEndpoints,
  ...usageEndpoints,
  ...activityEndpoints,
  ...trustEndpoints,
  ...clientEndpoints,
  ...modeEndpoints,
  ...configEndpoints,
  ...serverEndpoints,
  ...tokenEndpoints,
  ...loginEndpoints,
  ...loginPageEndpoints,
  ...passkeyEndpoints,
  ...proofEndpoints,
  ...descriptionEndpoints,
  ...execEndpoints,
  ...peerEndpoints,
}
