import { followEvents } from '../sessions/session-kit.ts'
import type { Act, Cell, Door, Outcome } from './door.ts'

/** A session that the server runs for a person, told what to do turn by turn. */
export class Session {
  readonly id: string
  readonly runId: string
  readonly #cell: Cell
  #after: string

  private constructor(cell: Cell, started: { sessionId: string; runId: string }) {
    this.#cell = cell
    this.id = started.sessionId
    this.runId = started.runId
    this.#after = '0'
  }

  static async start(cell: Cell, harness: string, options: object): Promise<Session> {
    const { server, project: projectPath, definition } = cell
    const body = { harness, projectPath, workflow: definition.id, options }
    const session = new Session(cell, await server.ask('POST', '/api/sessions', body))
    const fault = await session.#untilReady()
    if (fault !== undefined) throw new Error(`the session did not start: ${fault}`)
    return session
  }

  /**
   * One turn, from the words of a person until the session is ready for the next ones. The code of
   * what went wrong with it, if something did.
   */
  async turn(text: string): Promise<string | undefined> {
    await this.#cell.server.ask('POST', `/api/sessions/${this.id}/input`, { text })
    return this.#untilReady()
  }

  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  look(): Promise<any> {
    return this.#cell.server.ask('GET', `/api/sessions/${this.id}`)
  }

  /** What the agent said last. */
  async lastWords(): Promise<string> {
    const { conversation } = await this.look()
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return conversation.findLast(({ role }: any) => role === 'assistant')?.content ?? ''
  }

  /** What people were told beside the conversation. */
  async statuses(): Promise<string[]> {
    const { lastEventId } = await this.look()
    const reported = await this.#follow('0', (id) => id === lastEventId)
    const payloads = reported.flatMap(({ data }) => (data.type === 'status' ? [data.payload] : []))
    // biome-ignore lint/suspicious/noExplicitAny: as above.
    return payloads.map((payload: any) => payload.message)
  }

  async close(): Promise<void> {
    await this.#cell.server.ask('POST', `/api/sessions/${this.id}/stop`, {})
  }

  async #untilReady(): Promise<string | undefined> {
    const seen = await this.#follow(this.#after, (_, data) => {
      return data.type === 'state_changed' && ['ready', 'error', 'stopped'].includes(`${data.to}`)
    })
    const last = seen.at(-1)
    this.#after = last?.id ?? this.#after
    if (last?.data.to === 'ready') return undefined
    const { kind, lastError } = await this.look()
    // What the agent itself failed with stands before the words.
    const [, named] = /^([a-z]+(?:_[a-z]+)+): /.exec(lastError?.message ?? '') ?? []
    return named ?? lastError?.code ?? kind
  }

  #follow(after: string, isOver: (id: string, data: Record<string, unknown>) => boolean) {
    const { url, personToken: token } = this.#cell.server
    return followEvents({ url, token, id: this.id, after }, (_event, data, id) => isOver(id, data))
  }
}

const names = { write: { tool: 'Write', capability: 'write' }, says: 'Write' }

/** A model that we run ourselves, with our own tools; what it says is a script. */
export const sessionTools: Door = {
  name: 'session tools',
  ...names,
  async open(cell) {
    const turns = cell.acts.flatMap((act) => [[toolPart(act)], [{ text: 'done' }]])
    const session = await Session.start(cell, 'scripted', { script: { turns } })
    return {
      person: cell.server,
      agent: {
        runId: session.runId,
        async act() {
          const fault = await session.turn('go on')
          if (fault !== undefined) throw new Error(`the session failed: ${fault}`)
          const { state, conversation } = await session.look()
          return readToolRun(state.toolRuns.at(-1), conversation)
        },
        close: () => session.close(),
      },
    }
  },
}

function toolPart(act: Act): object {
  if ('shell' in act) return { tool: 'bash', arguments: { command: act.shell } }
  return { tool: 'write_file', arguments: { path: act.write, content: act.text } }
}

function readToolRun(
  run: { readonly isError?: boolean; readonly error?: string },
  conversation: readonly { readonly role: string; readonly content: string }[],
): Outcome {
  const text = conversation.findLast(({ role }) => role === 'tool')?.content ?? ''
  // A result of its own that is an error has no code here; a denial has.
  if (run.isError !== true || run.error === undefined) return { isDenied: false, text }
  return { isDenied: true, code: run.error, text }
}
