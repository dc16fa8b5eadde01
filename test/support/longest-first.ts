import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/**
 * The files that take longest, as a whole run on two cores has shown; small files among them start
 * many processes. Begun last, one of them would run alone at the end, while the other cores wait.
 */
const longest = [
  'test/dashboard/accessibility.test.ts',
  'test/doors/doors.test.ts',
  'test/clients/doctor.test.ts',
  'test/guarded.test.ts',
  'test/package.test.ts',
  'test/conformance/conformance.test.ts',
  'test/clients/project-of-call.test.ts',
  'test/guide.test.ts',
  'test/clients/doctor-advice.test.ts',
  'test/crash/archive-crash.test.ts',
  'test/sessions/session-nodes.test.ts',
  'test/programs.test.ts',
  'test/crash/store-crash.test.ts',
  'test/dashboard/diagram.test.ts',
  'packages/server/src/cli/replay/replay.test.ts',
  'test/dashboard/day.test.ts',
  'test/sessions/acceptance.test.ts',
  'test/levels/levels.test.ts',
  'test/dashboard/activity.test.ts',
  'test/dashboard/tour.test.ts',
  'test/clients/mcp-stdio.test.ts',
  'test/several-projects.test.ts',
  'packages/server/src/store/sqlite/sqlite.test.ts',
  'test/store/postgres.test.ts',
  'test/action.test.ts',
  'test/up-upstreams.test.ts',
  'test/replay-cli.test.ts',
  'test/crash/postgres-away.test.ts',
  'test/set-up.test.ts',
  'test/server-postgres.test.ts',
  'test/attacks/client-home.test.ts',
]

/** Begins with the longest files, then goes on as Vitest would. */
export class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { root } = this.ctx.config
    const gone = longest.filter((path) => !existsSync(join(root, path)))
    if (gone.length > 0) throw new Error(`longest-first.ts lists ${gone}, which is not there`)
    const ranks = new Map(longest.map((path, rank) => [join(root, path), rank]))
    const rankOf = ({ moduleId }: TestSpecification) => ranks.get(moduleId) ?? longest.length
    const usual = await super.sort(files)
    return usual.toSorted((one, other) => rankOf(one) - rankOf(other))
  }
}
