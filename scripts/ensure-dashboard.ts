// Builds the dashboard where it has to be, before the tests: they start many servers at once, and
// each of them would find the page missing.
import { ensureDashboard } from '../packages/server/src/app/dashboard-build.ts'

await ensureDashboard((line) => process.stderr.write(`${line}\n`))
