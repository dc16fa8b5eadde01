/** A mail service that speaks Resend's API, with the key that only we hold. */
export interface MailService {
  /** Without a slash at the end. */
  readonly url: string
  readonly key: string
}

export interface Outgoing {
  readonly path: '/emails' | '/emails/batch'
  /** What was judged, written again: a body with a key twice could be read in two ways. */
  readonly body: string
  readonly idempotencyKey?: string | undefined
}

export type Forwarded =
  /** The service has spoken; it accepted the mail when the status says so. */
  | { readonly kind: 'answered'; readonly status: number; readonly body: string }
  /** It was never reached, so that nothing can have left. */
  | { readonly kind: 'not_sent'; readonly why: string }
  /** It may have accepted the mail, but did not say so. */
  | { readonly kind: 'unknown'; readonly why: string }

const answerWithinMs = 30_000
const maxAnswerBytes = 1024 * 1024

/** Faults that come before the request has left this machine. */
const unreached: ReadonlySet<unknown> = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
])

/** Sends mail on with our key. Nothing of the caller goes along but the mail itself. */
export async function forwardMail(
  { url, key }: MailService,
  { path, body, idempotencyKey }: Outgoing,
): Promise<Forwarded> {
  let response: Response
  try {
    response = await fetch(url + path, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${key}`,
        'content-type': 'application/json',
        'user-agent': 'statewright',
        // On a connection that the service has just closed nobody could say whether it left.
        connection: 'close',
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body,
      // Following one would carry the key to wherever it points.
      redirect: 'manual',
      signal: AbortSignal.timeout(answerWithinMs),
    })
  } catch (fault) {
    const { code, why } = faultOf(fault)
    return unreached.has(code) ? { kind: 'not_sent', why } : { kind: 'unknown', why }
  }
  const text = await readAnswer(response).catch(() => undefined)
  // Accepted, whatever became of the rest of the answer.
  if (text === undefined && response.ok) return { kind: 'unknown', why: 'its answer broke off' }
  return { kind: 'answered', status: response.status, body: withoutKey(text ?? '', key) }
}

async function readAnswer(response: Response): Promise<string> {
  const chunks: Uint8Array[] = []
  let bytes = 0
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long')
    chunks.push(chunk)
  }
  return Buffer.concat(chunks).toString('utf8')
}

/** A service that repeats what it was sent would show the key to the agent. */
function withoutKey(text: string, key: string): string {
  return text.replaceAll(key, '[key]')
}

function faultOf(fault: unknown): { code: unknown; why: string } {
  const cause = fault instanceof Error && fault.cause instanceof Error ? fault.cause : fault
  const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
  const isLate = fault instanceof Error && fault.name === 'TimeoutError'
  const why = isLate ? `no answer within ${answerWithinMs / 1000} seconds` : String(code ?? 'fault')
  return { code, why }
}
