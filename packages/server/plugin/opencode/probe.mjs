// Loads an installed plugin as opencode would, asks it for one call, and prints what came of it.
// `statewright doctor` starts it, in a process of its own: what is loaded is loaded for good.
import { readFileSync } from 'node:fs'
import { pathToFileURL } from 'node:url'

const [file] = process.argv.slice(2)
const { session, directory, call, tool, args } = JSON.parse(readFileSync(0, 'utf8'))

const client = {
  session: { get: async () => ({ data: { id: session } }) },
  config: { get: async () => ({ data: { mcp: {} } }) },
  tool: { ids: async () => ({ data: ['write'] }) },
}

const exports = await import(pathToFileURL(file).href)
const [plugin] = Object.values(exports)
const hooks = await plugin({ client, directory })
let answer = { decision: 'allow' }
try {
  // Without a guard of ours opencode would ask nobody.
  await hooks['tool.execute.before']?.({ tool, sessionID: session, callID: call }, { args })
} catch (refusal) {
  answer = { decision: 'deny', reason: refusal.message }
}
process.stdout.write(JSON.stringify(answer), () => process.exit(0))
