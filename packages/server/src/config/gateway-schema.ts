import { z } from 'zod'
import type { ProgramFile } from '../upstream/program-files.ts'

const text = z.string().max(8192)
const timeout = z
  .int()
  .min(100)
  .max(24 * 60 * 60_000)
  .optional()
  .describe('How long one call may take, in milliseconds.')

/** The name is a part of policy names and of `server__tool`, which must be read in one way only. */
const serverName = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9-]|_(?!_)){0,48}$/, {
    message: 'letters, digits, "-" and single "_" only, at most 50',
  })
  .refine((name) => !name.endsWith('_'), { message: 'no "_" at the end' })
  .refine((name) => name.toLowerCase() !== 'statewright', { message: 'that name is reserved' })
  .refine((name) => !['constructor', 'prototype'].includes(name), { message: 'reserved' })

const writes = z
  .array(
    z.strictObject({
      tool: text.min(1).describe('The tool, as its server calls it.'),
      path: text.min(1).describe('The argument that holds the path, or a list of paths.'),
    }),
  )
  .max(200)
  .optional()
  .describe('Tools that write files: such calls count for limits on edits and fire interrupts.')

const asks = {
  sampling: z
    .enum(['allow', 'refuse'])
    .optional()
    .describe('Whether it may ask the model of the client during a call.'),
  elicitation: z
    .enum(['allow', 'refuse'])
    .optional()
    .describe('Whether it may ask the person at the client during a call.'),
}

const StdioServer = z.strictObject({
  type: z.literal('stdio').optional().describe('A program that is started; the default.'),
  command: text.min(1).describe('The program that is started.'),
  args: z.array(text).max(200).optional().describe('Its arguments.'),
  env: z
    .record(z.string().regex(/^[A-Za-z_][A-Za-z0-9_]*$/), text)
    .optional()
    .describe(
      'More environment variables for the program; a $ with a name in braces is replaced by that ' +
        'variable of the server.',
    ),
  cwd: text.optional().describe('Working folder, relative to the project folder.'),
  timeout_ms: timeout,
  writes,
  ...asks,
})

const HttpServer = z.strictObject({
  type: z.enum(['http', 'streamable-http']).describe('A server that is reached over HTTP.'),
  url: z
    .string()
    .max(2000)
    .regex(/^https?:\/\//, { message: 'an address with http or https' })
    .describe('Its address.'),
  headers: z
    .record(z.string().min(1).max(200), text)
    .optional()
    .describe('Headers that are sent with each request.'),
  timeout_ms: timeout,
  writes,
  ...asks,
})

/** Servers behind the gateway, in the shape of `.mcp.json`. */
export const UpstreamsConfig = z.record(serverName, z.union([StdioServer, HttpServer]))
export type UpstreamsConfig = z.infer<typeof UpstreamsConfig>

/** An entry with the files of the project that its program names, as they were read (SH-18b). */
export type UpstreamEntry =
  | (z.infer<typeof StdioServer> & { readonly files?: readonly ProgramFile[] })
  | z.infer<typeof HttpServer>

export const GatewayConfig = z.strictObject({
  names: z
    .enum(['collision', 'always'])
    .optional()
    .describe('When tools are named server__tool: only where two names clash, or always.'),
  list: z
    .enum(['allowed', 'all'])
    .optional()
    .describe('What tools/list shows: what the current state allows, or everything.'),
  tools: z
    .boolean()
    .optional()
    .describe(
      'Offers guarded Read, Write, Edit, Bash, Grep and Glob for clients without their own.',
    ),
  ask_wait_ms: z
    .int()
    .min(0)
    .max(60 * 60_000)
    .optional()
    .describe('How long a call waits at the gateway for a person; with 0 it is denied at once.'),
})

export type GatewayConfig = z.infer<typeof GatewayConfig>
