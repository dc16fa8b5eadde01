import { setTimeout as sleep } from 'node:timers/promises'
import type { Code, Result } from '@statewright/core/internal'
import { type Approval, endpoints } from '@statewright/core/wire'
import type { Client, ServerProblem } from '../api/client.ts'
import { askLine, hasTerminal, readKey } from '../ask.ts'
import { call, type JsonOption, printJson, say, tryCall, withServer } from '../command.ts'
import { approvalLines } from '../output/approval-lines.ts'
import { reportProblem } from '../output/report.ts'

const pauseMs = 1000

/** `statewright approval watch`: asks about each as it comes, or prints them where nobody sits. */
export async function watchApprovals(options: JsonOption): Promise<void> {
  process.once('SIGINT', () => process.exit(130))
  await withServer(async (client) => {
    const asksPerson = hasTerminal() && options.json !== true
    if (asksPerson) say('Waiting for approvals. Leave with Ctrl-C.')
    const seen = new Set<string>()
    for (;;) {
      const query = { status: 'waiting', limit: 500 } as const
      const { approvals } = await call(client, endpoints.listApprovals, { query })
      for (const approval of approvals) {
        if (seen.has(approval.approval_id)) continue
        seen.add(approval.approval_id)
        if (options.json === true) printJson(approval)
        else process.stdout.write(`${approvalLines(approval).join('\n')}\n`)
        if (asksPerson && (await answerByKey(client, approval)) === 'leave') return
      }
      await sleep(pauseMs)
    }
  })
}

async function answerByKey(client: Client, approval: Approval): Promise<'leave' | 'next'> {
  const params = { id: approval.approval_id }
  for (;;) {
    process.stderr.write('  [a]pprove  [r]eject  [s]kip  [q]uit ')
    const key = (await readKey()).toLowerCase()
    process.stderr.write(`${/^[arsq]$/.test(key) ? key : ''}\n`)
    if (key === 'stop') process.exit(130)
    if (key === 'q') return 'leave'
    if (key === 's') return 'next'
    if (key === 'a') {
      const done = await tryCall(client, endpoints.approve, { params, body: {} })
      if (!isStillOpen(reported(done))) return 'next'
    }
    if (key === 'r') {
      const reason = (await askLine('  reason: ')).trim()
      if (reason === '') {
        say('  A rejection needs a reason, which the agent reads.')
        continue
      }
      const done = await tryCall(client, endpoints.reject, { params, body: { reason } })
      if (!isStillOpen(reported(done))) return 'next'
    }
  }
}

/** Without a PIN, or with a wrong one, nothing was answered. */
function isStillOpen(output: Code | 'done'): boolean {
  return output === 'pin_wrong' || output === 'pin_locked' || output === 'step_up_required'
}

/** What cannot be answered any more is told; the watching goes on. */
function reported(done: Result<Approval, ServerProblem>): Code | 'done' {
  if (done.ok) {
    say(`  ${done.value.status}`)
    return 'done'
  }
  reportProblem(done.error)
  return done.error.code
}
