import { type InputRequiredResult, inputRequired } from '@modelcontextprotocol/server'
import { isJsonObject, own } from '@statewright/core/internal'
import type { RuntimeProblem } from '../../base/problem.ts'
import { ownQuestion } from './our-answer.ts'
import { capabilitiesOf, type PassOn } from './pass-on.ts'

/** The page on which a person answers; missing where nobody knows our address. */
export type ApprovalPage = (approvalId: string) => string | undefined

export interface UrlRequest extends PassOn {
  readonly approvalPage: ApprovalPage
}

const message = 'Statewright: this call waits for your approval.'

/**
 * Whether the call must not wait now, since its client is asked to show the page first. In the new
 * era that is an answer to the call, which the client then makes again.
 */
export function asksByUrl(request: UrlRequest): boolean {
  const answers = request.exchange.inputResponses ?? {}
  return request.era === 'modern' && canShow(request) && own(answers, ownQuestion) === undefined
}

/** The answer that has the client show the page, where the refusal is a question to a person. */
export function urlQuestion(
  request: UrlRequest,
  { details }: RuntimeProblem,
): InputRequiredResult | undefined {
  if (!asksByUrl(request) || own(details ?? {}, 'decision') !== 'ask') return undefined
  const id = own(details ?? {}, 'approval_id')
  const url = typeof id === 'string' ? request.approvalPage(id) : undefined
  if (url === undefined) return undefined
  return inputRequired({
    inputRequests: { [ownQuestion]: inputRequired.elicitUrl({ message, url }) },
  })
}

/**
 * In the old era the client is asked beside the call that waits. What it answers only says whether
 * the page was shown: a client is no person, and a verdict is given on the page.
 */
export function showOnce(request: UrlRequest): (approvalId: string) => void {
  const shown = new Set<string>()
  return (elicitationId) => {
    const url = request.approvalPage(elicitationId)
    const isShown = shown.has(elicitationId)
    if (request.era !== 'legacy' || isShown || url === undefined || !canShow(request)) return
    shown.add(elicitationId)
    const params = { mode: 'url', message, url, elicitationId }
    // A client that shows nothing changes nothing: the call waits all the same.
    request.exchange.send('elicitation/create', params).catch(() => {})
  }
}

function canShow({ exchange }: PassOn): boolean {
  const { elicitation } = capabilitiesOf(exchange)
  return isJsonObject(elicitation) && isJsonObject(own(elicitation, 'url'))
}
