import { isOutward } from '../config/outward.ts'
import type { Waiting } from '../config/pinned.ts'
import type { createLog } from '../observe/logger.ts'

/** What a person must know who believes that the files hold: they do not, and why. */
export function waitingSentence({ changes }: Waiting): string {
  const looser = changes.filter(({ loosens }) => loosens !== null)
  if (looser.length > 0 && looser.every(({ key }) => isOutward(key))) {
    const what = looser.map(({ loosens }) => loosens).join(' ')
    return `Programs, services or tools that nobody has accepted are configured. ${what} ${off}`
  }
  const keys = changes.map(({ key }) => key).join(', ')
  const what =
    looser.length === 0
      ? `The configuration has changed (${keys}) while guarded runs are live.`
      : `The configuration was loosened (${looser.map(({ key }) => key).join(', ')}). ` +
        looser.map(({ loosens }) => loosens).join(' ')
  return (
    `${what} What was accepted before stays in effect until a person accepts it with ` +
    '"statewright config accept" or in the dashboard under Settings.'
  )
}

const off =
  'That stays off, and what was accepted before stays in effect, until a person accepts it with ' +
  '"statewright config accept" or in the dashboard under Settings.'

export function logWaiting(
  log: Pick<ReturnType<typeof createLog>, 'warn'>,
  waiting: Waiting | null,
): void {
  if (waiting === null) return
  const changes = waiting.changes.map(({ key, loosens }) => ({ key, loosens }))
  log.warn({ changes }, 'a change of the configuration waits for a person')
}
