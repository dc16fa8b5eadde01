import { z } from 'zod'
import { Id } from './basics.ts'
import { endpoint, verbs } from './endpoint.ts'

const yearS = 365 * 24 * 60 * 60

const VerbName = z.enum(verbs)

/** A token without its secret. */
export const Token = z.object({
  id: z.string(),
  kind: z.enum(['hook', 'agent', 'person']),
  role: z.string(),
  name: z.string(),
  person: z.string().optional().describe('Whose login it is.'),
  verbs: z.array(VerbName).optional().describe('For a service: what it may do.'),
  created_at: z.number(),
  created_by: z.string(),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})
export type Token = z.infer<typeof Token>

/** Who a token says that somebody is. */
export const Me = Token.extend({
  provider: z.string().optional().describe('The identity provider that knows the person.'),
})
export type Me = z.infer<typeof Me>

export const tokenEndpoints = {
  getMe: endpoint({
    method: 'GET',
    path: '/api/me',
    who: 'hook',
    summary: 'Who the token says you are.',
    answers: { 200: Me },
  }),
  listTokens: endpoint({
    method: 'GET',
    path: '/api/tokens',
    who: 'person',
    summary: 'List tokens, without their secrets.',
    answers: { 200: z.object({ tokens: z.array(Token) }) },
  }),
  createToken: endpoint({
    method: 'POST',
    path: '/api/tokens',
    who: 'person',
    summary: 'Create a token. Its secret is shown once.',
    proof: 'mint',
    body: z.strictObject({
      kind: z
        .enum(['hook', 'agent', 'person', 'service'])
        .describe('`person`: another login for you, which may look, start, pause and reject.'),
      verbs: z
        .array(VerbName)
        .min(1)
        .optional()
        .describe('For a service: which actions it may take that people must confirm.'),
      name: Id.optional().describe('Shown in lists and histories.'),
      role: Id.optional().describe('Role for policies; "agent" when absent.'),
      with_hook: z
        .literal(true)
        .optional()
        .describe('With a token of an agent: also create one for the hooks of its client.'),
      installation: z
        .string()
        .min(1)
        .max(2000)
        .optional()
        .describe('With `with_hook`: which installation it is for. The same one keeps its runs.'),
      run: Id.optional().describe('With a token of an agent: the run that is handed to it.'),
      project: z
        .string()
        .min(1)
        .max(4096)
        .optional()
        .describe(
          'With a token of an agent: the project that it works in, whose memory and tasks it sees.',
        ),
      expires_in_s: z
        .int()
        .min(1)
        .max(10 * yearS)
        .optional(),
    }),
    answers: { 201: Token.extend({ token: z.string(), hook_token: z.string().optional() }) },
  }),
  revokeToken: endpoint({
    method: 'DELETE',
    path: '/api/tokens/:id',
    who: 'person',
    summary: 'Revoke a token.',
    proof: 'mint',
    answers: { 200: z.object({ id: z.string(), revoked: z.literal(true) }) },
  }),
}
