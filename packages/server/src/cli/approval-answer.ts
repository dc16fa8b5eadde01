import type { Problem } from '@statewright/core'
import { approvalLines, whatWaits } from './approval-lines.ts'
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

/** `statewright approval show ID` */
export async function showApproval(given: string, options: JsonOption): Promise<void> {
  await withServer(async (client) => {
    const id = await resolveApproval(client, given)
    const { approvals } = await ask(client, { path: '/api/approvals?limit=500' }, Approvals)
    const found = approvals.find((one) => one.approval_id === id)
    if (found === undefined) return refuse(unknownApproval(given))
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

/**
 * An approval as people name it: its id, the beginning of one, or the run in which it waits.
 * Between two it is never guessed.
 */
async function resolveApproval(client: Client, given: string): Promise<string> {
  if (wholeId.test(given)) return given
  const path = '/api/approvals?status=waiting&limit=500'
  const { approvals } = await ask(client, { path }, Approvals)
  const found = approvals.filter(
    (one) => one.approval_id.startsWith(given) || one.run_id.startsWith(given),
  )
  if (found.length === 1 && found[0] !== undefined) return found[0].approval_id
  if (found.length === 0) return refuse(unknownApproval(given))
  return refuse({
    code: 'usage',
    message: `${found.length} approvals wait under "${given}".`,
    where: 'approval',
    next: `say which: ${found
      .slice(0, 5)
      .map((one) => one.approval_id)
      .join(', ')}.`,
  })
}

function unknownApproval(given: string): Problem {
  return {
    code: 'unknown_approval',
    message: `Nothing waits under "${given}".`,
    where: 'approval',
    next: 'list what waits with "statewright approval list".',
  }
}

const wholeId = /^apr_[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/
