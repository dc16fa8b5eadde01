import { activityTests } from './activity.test-kit.ts'
import { approvalTests } from './approvals.test-kit.ts'
import { archiveTests } from './archive.test-kit.ts'
import { counterTests } from './counters.test-kit.ts'
import { deliveryTests } from './deliveries.test-kit.ts'
import { policyTests } from './policies.test-kit.ts'
import { runTests } from './runs.test-kit.ts'
import { searchTests } from './search.test-kit.ts'
import { sessionTests } from './sessions.test-kit.ts'
import { standaloneTests } from './standalone.test-kit.ts'
import type { OpenForTest } from './story.test-kit.ts'
import { totalTests } from './totals.test-kit.ts'

/** What every store must do. Each backend runs all of it, on a real database. */
export function conformanceTests(open: OpenForTest): void {
  runTests(open)
  approvalTests(open)
  searchTests(open)
  counterTests(open)
  policyTests(open)
  activityTests(open)
  standaloneTests(open)
  sessionTests(open)
  deliveryTests(open)
  archiveTests(open)
  totalTests(open)
}
