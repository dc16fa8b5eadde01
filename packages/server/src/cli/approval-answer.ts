import type { Client } from './client.ts'
import { ask, type JsonOption, printJson, refuse, say, withServer } from './command.ts'
import { printable } from './report.ts'
import { resolveRun, shortId } from './run-refs.ts'
import { Approval, Approvals } from './shapes.ts'
import { type Column, table, terminalWidth } from './table.ts'
import { ago } from './times.ts'

/** `statewright approval list` */
export async function listApprovals(
  options: JsonOption & { readonly status: string; readonly run?: string },
): Promise<void> {
  await withServer(async (client) => {
    const query = new URLSearchParams({ status: options.status })
    if (options.run !== undefined) query.set('run', await resolveRun(client, options.run))
    const { approvals } = await ask(client, { path: `/api/approvals?${query}` }, Approvals)
    if (options.json === true) {
      for (const one of approvals) printJson(one)
    } else if (approvals.length > 0) {
      process.stdout.write(`${table(approvals, columns(), terminalWidth())}\n`)
    }
    if (approvals.length === 0) say(`Nothing is ${options.status}.`)
  })
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

/** The event or the call that waits. */
export function whatWaits(approval: Approval): string {
  if (approval.tool !== undefined) return approval.tool
  const { event, from, to } = approval
  if (event === undefined) return approval.kind
  return `${event}: ${from ?? '?'} -> ${to ?? '?'}`
}

/** `statewright approval approve ID` */
export async function approve(
  given: string,
  options: JsonOption & { readonly note?: string; readonly always?: true },
): Promise<void> {
  const { note, always } = options
  const body = {
    ...(note === undefined ? {} : { note }),
    ...(always === true ? { always } : {}),
  }
  await answer(given, 'approve', body, options)
}

/** `statewright approval reject ID` */
export async function reject(
  given: string,
  options: JsonOption & { readonly reason: string },
): Promise<void> {
  await answer(given, 'reject', { reason: options.reason }, options)
}

async function answer(
  given: string,
  verb: 'approve' | 'reject',
  body: object,
  options: JsonOption,
): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveApproval(client, given)
    const path = `/api/approvals/${encodeURIComponent(id)}/${verb}`
    const done = await ask(client, { method: 'POST', path, body }, Approval)
    if (options.json === true) printJson(done)
    else process.stdout.write(`${printable(`${done.status}: ${whatWaits(done)}`)}\n`)
  })
}

/** The beginning of an id is enough where only one begins so. */
async function resolveApproval(client: Client, given: string): Promise<string> {
  if (given.length > 20 || given.length < 4) return given
  const { approvals } = await ask(
    client,
    { path: '/api/approvals?status=waiting&limit=500' },
    Approvals,
  )
  const wanted = given.startsWith('apr_') ? given : `apr_${given}`
  const found = approvals.filter((one) => one.approval_id.startsWith(wanted))
  if (found.length <= 1) return found[0]?.approval_id ?? given
  return refuse({
    code: 'usage',
    message: `${found.length} approvals begin with "${given}".`,
    where: 'approval',
    next: 'write more of the id.',
  })
}
