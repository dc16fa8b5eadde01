import { type Approval, approvalStatuses, endpoints } from '@statewright/core/wire'
import type { Client } from '../api/client.ts'
import { call, type JsonOption, printJson, refuse, say, withServer } from '../command.ts'
import { approvalLines, whatWaits } from '../output/approval-lines.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'
import { ago } from '../output/times.ts'
import { resolveRun, shortId } from '../run/refs.ts'

/** `statewright approval list` */
export async function listApprovals(
  options: JsonOption & { readonly status: string; readonly run?: string },
): Promise<void> {
  await withServer(async (client) => {
    const status = statusNamed(options.status)
    const run = options.run === undefined ? undefined : await resolveRun(client, options.run)
    const { approvals } = await call(client, endpoints.listApprovals, { query: { status, run } })
    if (options.json === true) {
      for (const one of approvals) printJson(one)
    } else if (approvals.length > 0) {
      process.stdout.write(`${table(approvals, columns(), terminalWidth())}\n`)
    }
    if (approvals.length === 0) say(`There is no approval with the status ${status}.`)
  })
}

function statusNamed(given: string): Approval['status'] {
  const next = `take one of: ${approvalStatuses.join(', ')}.`
  const message = `"${given}" is not a status of approvals.`
  const status = approvalStatuses.find((name) => name === given)
  return status ?? refuse({ code: 'usage', message, where: '--status', next })
}

function columns(): Column<Approval>[] {
  const id = terminalWidth() === undefined ? (text: string) => text : shortId
  return [
    { title: 'APPROVAL', text: (one) => id(one.approval_id) },
    { title: 'RUN', text: (one) => id(one.run_id) },
    { title: 'WHAT', text: whatWaits, gives: true },
    { title: 'MESSAGE', text: (one) => one.message, gives: true },
    { title: 'OPENED', text: (one) => ago(one.opened_at) },
  ]
}

/** `statewright approval show ID` */
export async function showApproval(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveApproval(client, given)
    const found = await call(client, endpoints.getApproval, { params: { id } })
    if (options.json === true) printJson(found)
    else process.stdout.write(`${approvalLines(found).join('\n')}\n`)
  })
}

/** `statewright approval approve ID` */
export async function approve(
  given: string,
  options: JsonOption & { readonly note?: string; readonly always?: true },
): Promise<void> {
  const { note, always } = options
  await answer(given, options, (client, id) =>
    call(client, endpoints.approve, { params: { id }, body: { note, always } }),
  )
}

/** `statewright approval reject ID` */
export async function reject(
  given: string,
  options: JsonOption & { readonly reason: string },
): Promise<void> {
  const { reason } = options
  await answer(given, options, (client, id) =>
    call(client, endpoints.reject, { params: { id }, body: { reason } }),
  )
}

async function answer(
  given: string,
  options: JsonOption,
  send: (client: Client, id: string) => Promise<Approval>,
): Promise<void> {
  await withServer(async (client) => {
    const done = await send(client, await resolveApproval(client, given))
    if (options.json === true) printJson(done)
    else process.stdout.write(`${printable(`${done.status}: ${whatWaits(done)}`)}\n`)
  })
}

/**
 * An approval as people name it: its id, the beginning of one, or the run in which it waits.
 * Between two it is never guessed.
 */
async function resolveApproval(client: Client, given: string): Promise<string> {
  if (wholeId.test(given)) return given
  const query = { status: 'waiting', limit: 500 } as const
  const { approvals } = await call(client, endpoints.listApprovals, { query })
  const found = approvals.filter(
    (one) => one.approval_id.startsWith(given) || one.run_id.startsWith(given),
  )
  if (found.length === 1 && found[0] !== undefined) return found[0].approval_id
  if (found.length === 0) {
    const message = `No waiting approval matches "${given}".`
    const next = 'list them with "statewright approval list".'
    return refuse({ code: 'unknown_approval', message, where: 'approval', next })
  }
  return refuse({
    code: 'usage',
    message: `${found.length} waiting approvals match "${given}".`,
    where: 'approval',
    next: `say which: ${found
      .slice(0, 5)
      .map((one) => one.approval_id)
      .join(', ')}.`,
  })
}

const wholeId = /^apr_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
