import { randomUUID } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { pluginText } from '../../packages/server/src/client-settings/opencode-install.ts'
import { doByHand } from './by-hand.ts'
import { codeOf } from './codes.ts'
import type { Act, Cell, Door } from './door.ts'
import { startRun } from './http-door.ts'

const hookFile = fileURLToPath(new URL('../../packages/server/bin/hook.cjs', import.meta.url))

interface Call {
  readonly tool: string
  readonly sessionID: string
  readonly callID: string
}

interface Hooks {
  'tool.execute.before'(call: Call, output: { args: Record<string, unknown> }): Promise<void>
  'tool.execute.after'(call: Call, output: ToolOutput): Promise<void>
}

interface ToolOutput {
  output: string
  readonly metadata: { readonly exit: number }
}

/** opencode, with the very plugin that `statewright install opencode` puts there. */
export const opencodeDoor: Door = {
  name: 'opencode',
  write: { tool: 'Write', capability: 'write' },
  says: 'Write',
  async open(cell) {
    const { server } = cell
    const { token, hookToken } = await server.mint(cell.id, cell.project)
    const session = `ses_${randomUUID()}`
    const runId = await startRun(cell, token, { session })
    const hooks = await loadPlugin(cell, session, { token, hookToken })
    let last: (() => Promise<void>) | undefined
    return {
      person: server,
      agent: {
        runId,
        async act(act) {
          const { tool, args } = callOf(act)
          const call = { tool, sessionID: session, callID: `call_${randomUUID()}` }
          try {
            await hooks['tool.execute.before'](call, { args })
          } catch (refusal) {
            const text = refusal instanceof Error ? refusal.message : String(refusal)
            return { isDenied: true, code: codeOf(text), text }
          }
          const made = 'shell' in act ? { shell: String(args.command) } : act
          const { output, exit } = await doByHand(cell, made)
          const result = { output, metadata: { exit } }
          await hooks['tool.execute.after'](call, result)
          last = () => hooks['tool.execute.after'](call, { ...result })
          return { isDenied: false, text: result.output }
        },
        repeatResult: async () => last?.(),
        close: async () => {},
      },
    }
  },
}

async function loadPlugin(
  { id, server, project: directory }: Cell,
  session: string,
  tokens: { readonly token: string; readonly hookToken: string },
): Promise<Hooks> {
  const folder = join(server.folder, 'plugins', id)
  mkdirSync(folder, { recursive: true })
  const keyFile = join(folder, 'key.json')
  const key = { url: server.url, token: tokens.token, hook_token: tokens.hookToken }
  writeFileSync(keyFile, JSON.stringify(key))
  writeFileSync(join(folder, 'package.json'), '{"type":"module"}')
  const paths = { node: process.execPath, hookFile, commandFile: '/statewright.mjs' }
  const facts = { url: server.url, ...tokens, ...paths, keyFile }
  const file = join(folder, 'statewright.js')
  writeFileSync(file, pluginText(facts))
  const module: { Statewright: (context: object) => Promise<Hooks> } = await import(
    pathToFileURL(file).href
  )
  // opencode, as far as the plugin asks it.
  const client = {
    session: { get: async () => ({ data: { id: session } }) },
    config: { get: async () => ({ data: { mcp: {} } }) },
    tool: { ids: async () => ({ data: ['bash', 'write'] }) },
  }
  return module.Statewright({ client, directory })
}

function callOf(act: Act): { readonly tool: string; readonly args: Record<string, unknown> } {
  if ('shell' in act) {
    return { tool: act.by ?? 'bash', args: { command: act.shell, description: 'Run it' } }
  }
  return { tool: 'write', args: { filePath: act.write, content: act.text } }
}
