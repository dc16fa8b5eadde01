import { z } from 'zod'

const Encoded = z.string().min(1).max(20_000)
const identity = { id: Encoded, rawId: Encoded, type: z.literal('public-key') }

/** What `navigator.credentials.create` gives, as its `toJSON` says it. */
export const NewCredential = z.object({
  ...identity,
  response: z.object({
    clientDataJSON: Encoded,
    attestationObject: Encoded,
    transports: z.array(z.string().max(50)).max(20).optional(),
  }),
})
export type NewCredential = z.infer<typeof NewCredential>

/** What `navigator.credentials.get` gives, as its `toJSON` says it. */
export const UsedCredential = z.object({
  ...identity,
  response: z.object({
    clientDataJSON: Encoded,
    authenticatorData: Encoded,
    signature: Encoded,
  }),
})
export type UsedCredential = z.infer<typeof UsedCredential>
