import { z } from 'zod'
import type { ProgramFile } from '../upstream/program-files.ts'

/** Secrets stand in the environment; the configuration, which is shown and pinned, names them. */
export const variable = z
  .string()
  .max(200)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, { message: 'the name of a variable' })

const address = z.string().max(2000)

/** How mail of runs leaves (PR-10). */
export const MailConfig = z.strictObject({
  resend: z
    .strictObject({
      key_env: variable.describe(
        'Environment variable of the server that contains the key of the service.',
      ),
      url: address
        .regex(/^(?:https:\/\/|http:\/\/(?:127\.0\.0\.1|localhost|\[::1\])(?:[:/]|$))/, {
          message: 'an address with https, since the key goes there',
        })
        .optional()
        .describe('Address of the service; https://api.resend.com when left out.'),
    })
    .describe('Resend, or a service with the same API.'),
})
export type MailConfig = z.infer<typeof MailConfig>

/** How people are told of what waits for them (PR-12). */
export const NotifyConfig = z.strictObject({
  webhook: z
    .strictObject({
      url: address
        .regex(/^https?:\/\//, { message: 'an address with http or https' })
        .describe('Address that is called.'),
      secret_env: variable.describe('Environment variable of the server with the signing secret.'),
    })
    .optional()
    .describe('Called for each approval with a signed request, repeated until it answers.'),
  command: z
    .array(z.string().max(8192))
    .min(1)
    .max(100)
    .optional()
    .describe('Program to start for each approval, with a sentence as its last argument.'),
})
export type NotifyConfig = z.infer<typeof NotifyConfig>

/** The same with the files of the project that its command names (SH-18b). */
export type NotifyEntry = NotifyConfig & { readonly files?: readonly ProgramFile[] }
