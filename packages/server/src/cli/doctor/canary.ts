import { randomUUID } from 'node:crypto'
import { stableText } from '@statewright/core/internal'
import { endpoints } from '@statewright/core/wire'
import { type HookTarget, hookTarget } from '../../client-settings/installed-hook.ts'
import { spokenClient } from '../../client-settings/installers.ts'
import { canaryBody, canaryWorkflow } from '../../clients/canary.ts'
import { clientOf } from '../../clients/coding-clients.ts'
import { forgetMark } from '../../home/session-marks.ts'
import { type Client, createClient } from '../api/client.ts'
import { tryCall } from '../command.ts'
import { callHook } from './call-hook.ts'
import { broken, type Finding, fine } from './finding.ts'
import { type Installation, reinstall } from './installation.ts'

/** What became of a forbidden call, and what the client would have read about it. */
export interface Canary {
  readonly finding: Finding
  /** Left out where it was not denied by the rules. */
  readonly denial?: string
}

/** A real call, through the hook as it is installed, that the rules must deny. */
export async function tryCanary(
  one: Installation,
  person: Client,
  isWhole: boolean,
): Promise<Canary> {
  const target = hookTarget(one.record.files)
  if (target === undefined) {
    return {
      finding: broken(
        'canary',
        'The settings of the client contain no hook of Statewright.',
        reinstall(one),
      ),
    }
  }
  // Somebody else's program is not started for a look.
  if (target.kind === 'plugin' && !isWhole) {
    const message = 'Not tried: something else changed the plugin.'
    return { finding: broken('canary', message, reinstall(one)) }
  }
  const session = `doctor-${randomUUID()}`
  const body = { definition: canaryWorkflow, session }
  const run = await person.call(endpoints.startRun, { body })
  if (!run.ok) {
    const message = `It could not be tried: ${run.error.message}`
    const next = run.error.next ?? 'log in with "statewright login".'
    return { finding: broken('canary', message, next) }
  }
  try {
    const canary = await sendForbidden(one, target, session)
    if (isWhole || canary.denial === undefined) return canary
    // The hook was called as `install` recorded it. The client calls what its settings say.
    return { ...canary, finding: fine('canary', notCalled) }
  } finally {
    const params = { id: run.value.run_id }
    await person.call(endpoints.sendEvent, { params, body: { event: 'DONE' } })
  }
}

const notCalled =
  'The hook works when it is called, but its client may not start it until the settings are fixed.'

/**
 * The same in a session that nobody prepared, as the first one of the client will be. Undefined
 * where the rules of the project let the call pass at first, which they may.
 */
export async function tryFirstCall(one: Installation, person: Client): Promise<Canary | undefined> {
  const target = hookTarget(one.record.files)
  if (target === undefined) return undefined
  const session = `init-${randomUUID()}`
  const tried = await sendForbidden(one, target, session)
  // Sessions have a space of names per token: a person who asks for this one finds none.
  const client = createClient({ url: person.url, token: one.key.token })
  const found = await client.call(endpoints.listRuns, { query: { session } })
  for (const { run_id: id } of found.ok ? found.value.runs : []) {
    await tryCall(person, endpoints.stopRun, { params: { id }, body: {} })
  }
  return tried.denial === undefined ? undefined : tried
}

async function sendForbidden(
  one: Installation,
  target: HookTarget,
  session: string,
): Promise<Canary> {
  const { record, key } = one
  const folder = key.project ?? record.project ?? process.cwd()
  const body = canaryBody(spokenClient(record.client), session, folder)
  try {
    const answer = await callHook(target, body)
    if (answer.ok) return judgeAnswer(one, body, answer.value)
    const message = `The hook did not answer: ${answer.error}.`
    return { finding: broken('canary', message, reinstall(one)) }
  } finally {
    forgetMark(process.env, record.client, session)
  }
}

/** Exactly the client's own denial counts: in other words most clients would let the call pass. */
function judgeAnswer(one: Installation, body: object, answer: unknown): Canary {
  const { record } = one
  const text = longestText(answer)
  const client = clientOf(spokenClient(record.client), body)
  const denial = client?.render(body, { kind: 'deny', text })
  const isDenied = denial !== undefined && stableText(denial) === stableText(answer)
  if (!isDenied) {
    const next =
      'if the server is in observe mode, run "statewright config mode enforce"; ' +
      `otherwise ${reinstall(one)}`
    return { finding: broken('canary', 'A call that the rules forbid was not denied.', next) }
  }
  if (text.includes('tool_not_allowed')) {
    const message = 'A forbidden call through the installed hook was denied.'
    return { finding: fine('canary', message), denial: text }
  }
  const message = `The call was denied, but not by the rules: ${text.slice(0, 200)}`
  return { finding: broken('canary', message, reinstall(one)) }
}

function longestText(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  return Object.values(value)
    .map(longestText)
    .reduce((longest, text) => (text.length > longest.length ? text : longest), '')
}
