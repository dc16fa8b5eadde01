import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result } from '@statewright/core/internal'
import { z } from 'zod'
import type { Client, ServerProblem } from '../api/client.ts'
import { printable } from '../output/report.ts'

export const Given = z.looseObject({ proof: z.string(), expires_at: z.number() })
export type GivenProof = z.infer<typeof Given>

const Begun = z.looseObject({
  ticket: z.string(),
  user_code: z.string(),
  verification_url: z.string(),
  interval_s: z.number(),
})
const Asked = Given.or(z.looseObject({ waiting: z.literal(true) }))

/** Waits until the person has typed the code in a browser and logged in afresh. */
export async function proofByProvider(client: Client): Promise<Result<GivenProof, ServerProblem>> {
  const begun = await client.ask({ method: 'POST', path: '/api/proof/oidc', body: {} }, Begun)
  if (!begun.ok) return begun
  const { ticket, user_code, verification_url, interval_s } = begun.value
  process.stderr.write(
    `This needs a proof that you are there. Open ${printable(verification_url)}\n` +
      `type the code ${printable(user_code)} and log in. Ctrl-C gives up.\n`,
  )
  const asked = { method: 'POST', path: '/api/proof/oidc/token', body: { ticket } } as const
  for (;;) {
    const answer = await client.ask(asked, Asked)
    if (!answer.ok) return answer
    if ('proof' in answer.value) return ok(Given.parse(answer.value))
    await sleep(interval_s * 1000)
  }
}
