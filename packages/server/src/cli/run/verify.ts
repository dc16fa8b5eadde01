import { type AnswerOf, endpoints } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, printJson, refuse, say, tryCall, withServer } from '../command.ts'
import { printable } from '../output/report.ts'
import { resolveRun } from './refs.ts'

type VerifiedRun = AnswerOf<typeof endpoints.verifyRun>

/** `statewright run verify [RUN…]`, of all runs when none is named; exits 3 when one is broken. */
export async function verifyRuns(given: readonly string[], options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const ids = given.length === 0 ? await allRuns(client) : await named(client, given)
    const runs: VerifiedRun[] = []
    for (const id of ids) runs.push(await verifyRun(client, id))
    const ok = runs.every((run) => run.ok)
    if (options.json === true) printJson({ ok, runs })
    else printRuns(runs)
    process.exitCode = ok ? 0 : 3
  })
}

/**
 * A history so broken that the server cannot even read it is broken, not a fault of the command;
 * an unreachable server or an unknown run ends the command.
 */
async function verifyRun(client: Client, id: string): Promise<VerifiedRun> {
  const answer = await tryCall(client, endpoints.verifyRun, { params: { id } })
  if (answer.ok) return answer.value
  const { status, message } = answer.error
  if (status < 500) return refuse(answer.error)
  return { run_id: id, ok: false, entries: 0, problem: `it cannot be read: ${message}` }
}

async function named(client: Client, given: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const one of given) ids.push(await resolveRun(client, one))
  return ids
}

async function allRuns(client: Client): Promise<string[]> {
  const ids: string[] = []
  let cursor: string | null | undefined
  while (cursor !== null) {
    const query = { limit: 500, cursor }
    const page: AnswerOf<typeof endpoints.listRuns> = await call(client, endpoints.listRuns, {
      query,
    })
    ids.push(...page.runs.map((run) => run.run_id))
    cursor = page.next
  }
  return ids
}

function printRuns(runs: readonly VerifiedRun[]): void {
  for (const { run_id, ok, entries, problem, older, archived } of runs) {
    const word = ok
      ? `intact, ${countText(entries)}${olderText(older)}${archivedText(archived)}`
      : `broken: ${problem ?? 'unknown'}`
    process.stdout.write(`${printable(`${run_id}  ${word}`)}\n`)
  }
  const broken = runs.filter((run) => !run.ok).length
  say(`${runs.length} verified, ${broken} broken.`)
}

function olderText(older: VerifiedRun['older']): string {
  if (older === undefined) return ''
  const { engine, entries, differs } = older
  const which = entries === 1 ? 'entry 1 was' : `entries 1-${entries} were`
  const checked = `; ${which} made by engine ${engine} and checked by their chain`
  if (differs.length === 0) return checked
  return `${checked}; today ${differs.slice(0, 10).join(', ')} would be decided differently`
}

function archivedText(archived: number | undefined): string {
  return archived === undefined ? '' : `; those up to ${archived} are in the archive`
}

function countText(entries: number): string {
  return `${entries} ${entries === 1 ? 'entry' : 'entries'}`
}
