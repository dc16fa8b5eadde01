import { setTimeout as sleep } from 'node:timers/promises'
import type { Code } from '@statewright/core'
import { approvalLines } from './approval-lines.ts'
import { askLine, hasTerminal, readKey } from './ask.ts'
import type { Client } from './client.ts'
import { ask, type JsonOption, printJson, say, tryAsk, withServer } from './command.ts'
import { reportProblem } from './report.ts'
import { Approval, Approvals } from './shapes.ts'

const pauseMs = 1000

/** `statewright approval watch`: asks about each as it comes, or prints them where nobody sits. */
export async function watchApprovals(options: JsonOption): Promise<void> {
  process.once('SIGINT', () => process.exit(130))
  await withServer(async (client) => {
    const isAsked = hasTerminal() && options.json !== true
    if (isAsked) say('Waiting for what needs you. Leave with Ctrl-C.')
    const seen = new Set<string>()
    for (;;) {
      const path = '/api/approvals?status=waiting&limit=500'
      const { approvals } = await ask(client, { path }, Approvals)
      for (const approval of approvals) {
        if (seen.has(approval.approval_id)) continue
        seen.add(approval.approval_id)
        if (options.json === true) printJson(approval)
        else process.stdout.write(`${approvalLines(approval).join('\n')}\n`)
        if (isAsked && (await answerByKey(client, approval)) === 'leave') return
      }
      await sleep(pauseMs)
    }
  })
}

async function answerByKey(client: Client, approval: Approval): Promise<'leave' | 'next'> {
  for (;;) {
    process.stderr.write('  [a]pprove  [r]eject  [s]kip  [q]uit ')
    const key = (await readKey()).toLowerCase()
    process.stderr.write(`${/^[arsq]$/.test(key) ? key : ''}\n`)
    if (key === 'stop') process.exit(130)
    if (key === 'q') return 'leave'
    if (key === 's') return 'next'
    if (key === 'a' && !isStillOpen(await send(client, approval, 'approve', {}))) return 'next'
    if (key === 'r') {
      const reason = (await askLine('  reason: ')).trim()
      if (reason === '') {
        say('  A rejection needs a reason: the agent is told.')
        continue
      }
      if (!isStillOpen(await send(client, approval, 'reject', { reason }))) return 'next'
    }
  }
}

/** Without a PIN, or with a wrong one, nothing was answered. */
function isStillOpen(said: Code | 'done'): boolean {
  return said === 'pin_wrong' || said === 'pin_locked' || said === 'step_up_required'
}

/** What cannot be answered any more is told; the watching goes on. */
async function send(
  client: Client,
  { approval_id }: Approval,
  verb: 'approve' | 'reject',
  body: object,
): Promise<Code | 'done'> {
  const path = `/api/approvals/${encodeURIComponent(approval_id)}/${verb}`
  const done = await tryAsk(client, { method: 'POST', path, body }, Approval)
  if (done.ok) {
    say(`  ${done.value.status}`)
    return 'done'
  }
  reportProblem(done.error)
  return done.error.code
}
