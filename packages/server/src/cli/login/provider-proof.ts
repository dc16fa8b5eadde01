import { setTimeout as sleep } from 'node:timers/promises'
import { ok, type Result } from '@statewright/core/internal'
import { endpoints, type Proof } from '@statewright/core/wire'
import type { Client, ServerProblem } from '../api/client.ts'
import { printable } from '../output/report.ts'

/** Waits until the person has typed the code in a browser and logged in afresh. */
export async function proofByProvider(client: Client): Promise<Result<Proof, ServerProblem>> {
  const begun = await client.call(endpoints.requestOidcProof, { body: {} })
  if (!begun.ok) return begun
  const { ticket, user_code, verification_url, interval_s } = begun.value
  process.stderr.write(
    `Confirm that it is you. Open ${printable(verification_url)}\n` +
      `enter the code ${printable(user_code)} and log in. Ctrl-C cancels.\n`,
  )
  for (;;) {
    const answer = await client.call(endpoints.claimOidcProof, { body: { ticket } })
    if (!answer.ok) return answer
    if ('proof' in answer.value) return ok(answer.value)
    await sleep(interval_s * 1000)
  }
}
