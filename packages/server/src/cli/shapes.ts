import { z } from 'zod'

/** What the server answers, as far as commands read it; more may stand there. */
export const Token = z.looseObject({
  id: z.string(),
  kind: z.string(),
  role: z.string(),
  name: z.string(),
  created_at: z.number(),
  expires_at: z.number().nullable(),
  revoked_at: z.number().nullable(),
})
export type Token = z.infer<typeof Token>

export const Anything = z.looseObject({})
