import { doByHand } from './by-hand.ts'
import type { Act, Cell, Door } from './door.ts'

/** How a program asks that speaks plain HTTP: `POST /api/check`, then `POST /api/result`. */
export const httpDoor: Door = {
  name: 'http check',
  write: { tool: 'Write', capability: 'write' },
  says: 'Write',
  async open(cell) {
    const { server } = cell
    const { token } = await server.mint(cell.id, cell.project)
    const run = await startRun(cell, token)
    let last: object = {}
    return {
      person: server,
      agent: {
        runId: run,
        async act(act) {
          const request = { run, ...callOf(act) }
          const { body } = await server.askAs(token, '/api/check', request)
          if (body.decision !== 'allow') {
            return { isDenied: true, code: body.code, text: JSON.stringify(body) }
          }
          const { output, exit } = await doByHand(cell, act)
          last = { run, call_id: body.call_id, output, exit }
          const reported = await server.askAs(token, '/api/result', last)
          if (reported.status !== 200) {
            return { isDenied: false, text: output, refusedResult: reported.body.code }
          }
          const notices = [...body.notices, ...reported.body.notices]
          return { isDenied: false, text: [output, ...notices].join('\n') }
        },
        async repeatResult() {
          await server.askAs(token, '/api/result', last)
        },
        close: async () => {},
      },
    }
  },
}

/** A run of the cell's definition that belongs to this token. */
export async function startRun(cell: Cell, token: string, more: object = {}): Promise<string> {
  const { definition, project } = cell
  const body = { workflow: definition.id, project, workspace: project, ...more }
  const started = await cell.server.askAs(token, '/api/runs', body)
  if (started.status === 201) return started.body.run_id
  throw new Error(JSON.stringify(started.body))
}

export function callOf(act: Act): { readonly tool: string; readonly input: object } {
  if ('shell' in act) return { tool: act.by ?? 'Bash', input: { command: act.shell } }
  return { tool: 'Write', input: { file_path: act.write, content: act.text } }
}
