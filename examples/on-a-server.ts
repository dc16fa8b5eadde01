// The same verbs against a running server.
// STATEWRIGHT_URL=http://127.0.0.1:4747 STATEWRIGHT_TOKEN=… node examples/on-a-server.ts bugfix
import { connectStatewright, StatewrightError } from 'statewright/sdk'

const { STATEWRIGHT_URL: url = 'http://127.0.0.1:4747', STATEWRIGHT_TOKEN: token = '' } =
  process.env
const [, , workflow = 'bugfix'] = process.argv

const statewright = connectStatewright({ url, token })
try {
  const run = await statewright.start({ workflow })
  const { state, allowedTools } = await run.state()
  console.log(`${run.id} is in ${state}; allowed: ${allowedTools?.join(', ') ?? 'any tool'}`)
  const denied = await run.check({ tool: 'Write', input: { file_path: 'a.ts', content: 'x' } })
  console.log(denied.decision, denied.text)
} catch (fault) {
  if (!(fault instanceof StatewrightError)) throw fault
  console.error(`${fault.code}: ${fault.message}`)
  process.exitCode = 3
}
