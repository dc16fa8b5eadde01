import { createHmac } from 'node:crypto'
import type { Notice } from './notice.ts'

export interface Webhook {
  readonly url: string
  readonly secret: string
}

export const signatureHeader = 'statewright-signature'
export const timestampHeader = 'statewright-timestamp'
/** The same over all tries of one notice, so that a receiver can tell repeats. */
export const deliveryHeader = 'statewright-delivery'

/**
 * The signature of a body sent at a time, in seconds: `v1=` and HMAC-SHA256 of `<time>.<body>`. The
 * time is signed along, so that a receiver can refuse what somebody recorded and sends again.
 */
export function signatureOf(secret: string, timestamp: string, body: string): string {
  return `v1=${createHmac('sha256', secret).update(`${timestamp}.${body}`).digest('hex')}`
}

/** Tells a webhook. Resolves when it has said that it heard; everything else throws. */
export async function postWebhook(
  { url, secret }: Webhook,
  notice: Notice,
  { now, signal }: { readonly now: number; readonly signal: AbortSignal },
): Promise<void> {
  const body = JSON.stringify(notice)
  const timestamp = String(Math.floor(now / 1000))
  const response = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      'user-agent': 'statewright',
      [timestampHeader]: timestamp,
      [signatureHeader]: signatureOf(secret, timestamp, body),
      [deliveryHeader]: notice.approval_id,
    },
    body,
    redirect: 'manual',
    signal,
  })
  await response.body?.cancel()
  if (!response.ok) throw new Error(`the webhook answered with ${response.status}`)
}
