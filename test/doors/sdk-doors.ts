import { join } from 'node:path'
import { tool } from 'ai'
import { z } from 'zod'
import {
  connectStatewright,
  createStatewright,
  type EmbeddedStatewright,
  type GuardedRun,
  guardTools,
  StatewrightError,
  ToolDenied,
} from '../../packages/server/src/sdk/sdk.ts'
import { openStore } from '../../packages/server/src/store/open.ts'
import { doByHand } from './by-hand.ts'
import { type Act, type Agent, type Cell, type Door, type Outcome, unknownTool } from './door.ts'
import { startRun } from './http-door.ts'
import type { Entry, Person } from './person.ts'
import type { DoorName } from './table.ts'

/** How a program makes its calls: by asking itself, or through the tools that it gives a model. */
type Caller = (cell: Cell, run: GuardedRun) => Pick<Agent, 'act' | 'repeatResult'>

const byAsking: Caller = (cell, run) => {
  let last = { callId: '', exit: 'success' } as Parameters<GuardedRun['finish']>[0]
  return {
    async act(act) {
      const { decision, callId, code, text } = await run.check(callOf(act))
      if (decision !== 'allow') return denied(code, text)
      const { output, exit } = await doByHand(cell, act)
      last = { callId, exit: exit === 0 ? 'success' : 'failure', bytes: output.length, output }
      try {
        const { notices } = await run.finish(last)
        return { isDenied: false, text: [output, ...notices].join('\n') }
      } catch (fault) {
        return notTaken(output, fault)
      }
    },
    async repeatResult() {
      await run.finish(last)
    },
  }
}

const byTools: Caller = (cell, run) => {
  let made: string | undefined
  const execute = async (act: Act) => {
    made = (await doByHand(cell, act)).output
    return made
  }
  const shell = tool({
    inputSchema: z.object({ command: z.string() }),
    execute: ({ command }) => execute({ shell: command }),
  })
  const tools = guardTools(
    {
      bash: shell,
      [unknownTool]: shell,
      write_file: tool({
        inputSchema: z.object({ file_path: z.string(), content: z.string() }),
        execute: ({ file_path, content }) => execute({ write: file_path, text: content }),
      }),
    },
    run,
  )
  let calls = 0
  return {
    async act(act) {
      made = undefined
      calls += 1
      const options = { toolCallId: `${cell.id}-${calls}`, messages: [], context: {} }
      const { input } = callOf(act)
      const name = 'write' in act ? 'write_file' : act.by === undefined ? 'bash' : unknownTool
      try {
        // The input is the one of the tool by this name.
        const output = await tools[name].execute?.(input as never, options)
        return { isDenied: false, text: JSON.stringify(output) }
      } catch (fault) {
        if (fault instanceof ToolDenied) return denied(fault.code, fault.message)
        if (made !== undefined) return notTaken(made, fault)
        throw fault
      }
    },
  }
}

function denied(code: string | undefined, text: string): Outcome {
  return { isDenied: true, text, ...(code === undefined ? {} : { code }) }
}

function notTaken(output: string, fault: unknown): Outcome {
  if (!(fault instanceof StatewrightError)) throw fault
  return { isDenied: false, text: output, refusedResult: fault.code }
}

function callOf(act: Act): { readonly tool: string; readonly input: object } {
  if ('shell' in act) return { tool: act.by ?? 'bash', input: { command: act.shell } }
  return { tool: 'write_file', input: { file_path: act.write, content: act.text } }
}

const writes = { write: { tool: 'Write', capability: 'write' }, says: 'Write' }

function remoteDoor(name: DoorName, caller: Caller): Door {
  return {
    name,
    ...writes,
    async open(cell) {
      const { server } = cell
      const { token } = await server.mint(cell.id, cell.project)
      const run = connectStatewright({ url: server.url, token }).run(await startRun(cell, token))
      const close = async () => {}
      return { person: server, agent: { runId: run.id, ...caller(cell, run), close } }
    },
  }
}

/** Statewright inside of a program: no server, no person but the program. */
function embeddedDoor(name: DoorName, caller: Caller): Door {
  return {
    name,
    ...writes,
    // Nobody configured it, so that its data are all it has.
    ownFile: (project) => join(dataOf(project), 'statewright.db'),
    async open(cell) {
      const data = dataOf(cell.project)
      const statewright = await createStatewright({ data })
      const { definition } = cell
      const run = await statewright.start({ definition, workspace: cell.project })
      const close = once(() => statewright.close())
      const person = embeddedPerson(statewright, data, close)
      return { person, agent: { runId: run.id, ...caller(cell, run), close } }
    },
  }
}

function dataOf(project: string): string {
  return `${project}.data`
}

function once(work: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= work()
    return done
  }
}

function embeddedPerson(
  statewright: EmbeddedStatewright,
  folder: string,
  close: () => Promise<void>,
): Person {
  return {
    async waiting(runId) {
      return (await statewright.people.approvals()).find((one) => one.runId === runId)?.approvalId
    },
    answer: (id, verdict) =>
      verdict === 'approve'
        ? statewright.people.approve(id)
        : statewright.people.reject(id, 'not today'),
    async transition(runId, event) {
      await statewright.run(runId).transition(event)
    },
    async pause() {
      throw new Error('the library has no pause')
    },
    async output(runId, callId) {
      await close()
      const store = await openStore({ folder, durability: 'crash' })
      try {
        const blobs = await store.runs.blobsOfCall(runId, callId)
        return blobs.find(({ what }) => what === 'output')?.text
      } finally {
        await store.close()
      }
    },
    async history(runId) {
      // The library shows no history, but its data do, to one program at a time.
      await close()
      const store = await openStore({ folder, durability: 'crash' })
      try {
        const entries = await store.runs.entries(runId, { after: 0, limit: 1000 })
        // As the API spells them.
        return entries.map(({ entry }) => entry as Entry)
      } finally {
        await store.close()
      }
    },
  }
}

export const sdkDoors: readonly Door[] = [
  embeddedDoor('sdk embedded', byAsking),
  remoteDoor('sdk remote', byAsking),
  embeddedDoor('guardTools embedded', byTools),
  remoteDoor('guardTools remote', byTools),
]
