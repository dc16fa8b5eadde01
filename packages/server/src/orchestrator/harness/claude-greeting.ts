import type { ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { z } from 'zod'

const requestId = 'statewright-greeting'

const Answer = z.looseObject({
  type: z.literal('control_response'),
  response: z.looseObject({
    subtype: z.string(),
    request_id: z.literal(requestId),
    error: z.string().optional(),
  }),
})

/**
 * Claude Code says nothing by itself before its first turn, so that one which cannot work at all
 * would be taken for ready. It answers this question as soon as it runs.
 */
export function greetClaude({ stdin, stdout }: ChildProcess): Promise<void> {
  if (stdin === null || stdout === null) return Promise.reject(new Error('it has no streams'))
  const lines = createInterface({ input: stdout })
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  lines.on('line', (line) => {
    const answer = Answer.safeParse(jsonOf(line))
    if (!answer.success) return
    const { subtype, error = 'it refused to begin' } = answer.data.response
    if (subtype === 'success') resolve()
    else reject(new Error(error))
  })
  const request = { subtype: 'initialize' }
  stdin.write(`${JSON.stringify({ type: 'control_request', request_id: requestId, request })}\n`)
  return promise.finally(() => lines.close())
}

function jsonOf(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch {
    return undefined
  }
}
