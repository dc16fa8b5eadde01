import { z } from 'zod'
import { Id } from './basics.ts'
import { endpoint, type Method } from './endpoint.ts'

/** What coding clients, MCP peers and clients of Resend send is not ours, and stays loose. */
const Foreign = z.looseObject({})

function mcp<const M extends Method, const Path extends string>(
  method: M,
  path: Path,
  summary: string,
) {
  return endpoint({ method, path, who: 'agent', summary, reads: 'raw', answers: { 200: Foreign } })
}

const gateway = 'The MCP server.'
const routines = 'The MCP server for routines: process, memory, tasks.'

function mail<const Path extends string>(path: Path) {
  return endpoint({
    method: 'POST',
    path,
    who: 'agent',
    summary: 'Send mail for a run through the mail service, in the format of its API.',
    reads: 'raw',
    query: z.object({ run: Id.optional().describe('The run whose mail it is.') }),
    answers: { 200: Foreign },
  })
}

/** The doors at which others speak their own protocols. */
export const peerEndpoints = {
  clientHook: endpoint({
    method: 'POST',
    path: '/hooks/:client',
    who: 'public',
    summary: 'A client hook, in the format of its client. Every error is a denial with status 200.',
    reads: 'raw',
    answers: { 200: Foreign },
  }),
  statusLine: endpoint({
    method: 'POST',
    path: '/hooks/:client/status',
    who: 'public',
    summary: 'One line for the status line of a client session, signed as its hooks sign.',
    body: z.strictObject({ session: Id }),
    answers: { 200: z.object({ text: z.string() }) },
  }),
  openMcp: mcp('GET', '/mcp', gateway),
  callMcp: mcp('POST', '/mcp', gateway),
  closeMcp: mcp('DELETE', '/mcp', gateway),
  openRoutines: mcp('GET', '/mcp/process', routines),
  callRoutines: mcp('POST', '/mcp/process', routines),
  closeRoutines: mcp('DELETE', '/mcp/process', routines),
  sendMail: mail('/proxy/resend/emails'),
  sendMails: mail('/proxy/resend/emails/batch'),
}
