import { randomUUID } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { runProgram } from '../../packages/server/testing/child.ts'
import { doByHand, type Result } from './by-hand.ts'
import { codeOf } from './codes.ts'
import type { Act, Cell, Door } from './door.ts'
import {
  type ClientCall,
  claudeCode,
  codex,
  copilot,
  cursor,
  type Dialect,
  gemini,
  type HookFacts,
} from './hook-dialects.ts'
import { startRun } from './http-door.ts'

const hookCommand = fileURLToPath(new URL('../../packages/server/bin/hook.cjs', import.meta.url))

/** A coding client that runs its hooks, and does what they tell it. */
class HookClient {
  readonly #dialect: Dialect
  readonly #cell: Cell
  readonly #session: string
  readonly #keyFile: string
  #last: object = {}

  constructor(dialect: Dialect, cell: Cell, session: string, keyFile: string) {
    this.#dialect = dialect
    this.#cell = cell
    this.#session = session
    this.#keyFile = keyFile
  }

  async act(act: Act) {
    const { project: cwd } = this.#cell
    const call = this.#dialect.call(act)
    const facts: HookFacts = { session: this.#session, cwd, callId: `toolu_${randomUUID()}` }
    const before = await this.#runHook(this.#dialect.before(call, facts))
    if (before.denied !== undefined) {
      return { isDenied: true, code: codeOf(before.denied), text: before.denied }
    }
    const made: ClientCall = { ...call, input: before.input ?? call.input }
    const result = await this.#make(act, made)
    this.#last = this.#dialect.after(made, facts, result)
    const after = await this.#runHook(this.#last)
    const texts = [result.output, before.context, after.context].filter(
      (text) => text !== undefined,
    )
    return { isDenied: false, text: texts.join('\n') }
  }

  async repeatResult(): Promise<void> {
    await this.#runHook(this.#last)
  }

  /** Runs the command that its input says now: a hook may have put another one there. */
  #make(act: Act, { input }: ClientCall): Promise<Result> {
    if (!('shell' in act)) return doByHand(this.#cell, act)
    if (typeof input.command !== 'string') throw new Error('the hook took the command away')
    return doByHand(this.#cell, { shell: input.command })
  }

  /** As the client's settings have it after `statewright install`. */
  async #runHook(body: object) {
    const { client } = this.#dialect
    const { code, stdout, stderr } = await runProgram(
      process.execPath,
      [hookCommand, client, this.#keyFile],
      { cwd: this.#cell.project, environment: { PATH: '/bin' }, input: JSON.stringify(body) },
    )
    if (code === 0) return this.#dialect.read(JSON.parse(stdout))
    // The one code that all clients take for a denial.
    if (code === 2) return { denied: stderr }
    throw new Error(`the hook command ended with ${code}: ${stderr}`)
  }
}

function hookDoor(dialect: Dialect): Door {
  return {
    name: dialect.client,
    write: { tool: 'Write', capability: 'write' },
    says: 'Write',
    async open(cell) {
      const { server } = cell
      const { token, hookToken } = await server.mint(cell.id, cell.project)
      const session = randomUUID()
      const runId = await startRun(cell, token, { session })
      const keyFile = join(server.folder, `${cell.id}.key`)
      const key = { url: server.url, token, hook_token: hookToken }
      writeFileSync(keyFile, JSON.stringify(key))
      const client = new HookClient(dialect, cell, session, keyFile)
      return {
        person: server,
        agent: {
          runId,
          act: (act) => client.act(act),
          repeatResult: () => client.repeatResult(),
          close: async () => {},
        },
      }
    },
  }
}

export const hookDoors: readonly Door[] = [
  hookDoor(claudeCode),
  hookDoor(codex),
  hookDoor(gemini),
  hookDoor(copilot),
  hookDoor(cursor),
]
