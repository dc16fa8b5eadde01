// node test/crash/server-crash.ts --times 200
import { parseArgs } from 'node:util'
import { crashServer } from './server-story.ts'

const { values } = parseArgs({ options: { times: { type: 'string', default: '200' } } })
const report = await crashServer(Number(values.times), (line) => process.stderr.write(`${line}\n`))
process.stdout.write(`${JSON.stringify(report)}\n`)
process.exitCode = report.faults.length === 0 && report.calls > 0 ? 0 : 1
