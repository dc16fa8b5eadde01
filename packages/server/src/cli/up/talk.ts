import type { Running, UpOptions } from '../../app/start-server.ts'
import { version } from '../../app/version.ts'
import { newSessions } from '../../reports/new-sessions.ts'
import { printJson, say, saySentence } from '../command.ts'
import { reportProblem } from '../output/report.ts'

/** Says that the server is ready: the login link is data, everything else is talk. */
export async function announce(running: Running, options: UpOptions): Promise<void> {
  const { serving, url, data, database, project, publicUrl } = running
  // Anyone who reads that it is ready may send a signal at once.
  offerMore(running)
  readAgainOnHangup(running)
  for (const warning of running.warnings) saySentence(`warning: ${warning}`)
  const { guard, sentence, next } = await newSessions(serving.runtime)
  if (guard === 'open' || guard === 'broken') saySentence(`warning: ${sentence} Next: ${next}`)
  const login = (await mayShowLink(serving)) ? serving.loginUrl() : undefined
  const hasLocalLogins = serving.auth.oidc.hasLocalLogins()
  if (options.testPerson === true && !hasLocalLogins) {
    say('warning: --test-person does nothing: people log in with an identity provider.')
  }
  const isTest = options.testPerson === true && hasLocalLogins
  const personToken = isTest ? await serving.mintTestPerson() : undefined
  if (personToken !== undefined) {
    say('WARNING: --test-person prints a token that may do everything a person may do.')
    say('WARNING: Whoever reads it can approve, edit and stop. Use it for tests only.')
  }
  if (options.json === true) {
    const ready = { url, ...(login === undefined ? {} : { login }), data, pid: process.pid }
    printJson(personToken === undefined ? ready : { ...ready, person_token: personToken })
  } else {
    if (login !== undefined) process.stdout.write(`${login}\n`)
    if (personToken !== undefined) process.stdout.write(`${personToken}\n`)
    saySentence(`Statewright ${version} is running at ${serving.peopleUrl} for ${project}.`)
    if (database !== undefined) say(`Database: Postgres at ${database}`)
    say(`Data directory: ${data}`)
    const where = publicUrl === undefined ? 'a browser on this machine' : 'your browser'
    if (!hasLocalLogins) {
      saySentence(`People log in at the address above, in ${where}. Stop with Ctrl-C.`)
      return
    }
    if (login === undefined) {
      say('No login link is shown: this is not a terminal, and you already have a passkey or PIN.')
      say('"statewright login" shows a code; confirm it in a browser that is logged in.')
      say('For a new link, start the server in a terminal with the same data directory.')
      return
    }
    saySentence(`Open the link above in ${where}, or give it to "statewright login".`)
    say('The link works once and expires in ten minutes. Stop with Ctrl-C.')
    say('"statewright login --new-link" in this folder shows another one here.')
  }
}

/**
 * A link sets a new PIN without the old one. In a log it would wait for whoever reads that, after
 * each start: once its person can prove who they are, it is shown at a terminal alone (PE-1).
 */
async function mayShowLink(serving: Running['serving']): Promise<boolean> {
  if (process.stdout.isTTY === true || !serving.auth.oidc.hasLocalLogins()) return true
  return !(await serving.ownerHasFactor())
}

/** Another link, but only onto a terminal: in a file it would wait for anyone who reads it. */
function offerMore({ serving }: Running): void {
  if (process.platform === 'win32') return
  process.on('SIGUSR2', () => {
    if (process.stdout.isTTY === true) say(serving.loginUrl())
    else say('A login link was requested, but there is no terminal to show it in.')
  })
}

function readAgainOnHangup({ pinned }: Running): void {
  process.on('SIGHUP', () => {
    void pinned.reload().then((done) => {
      if (!done.ok) reportProblem(done.error)
      else if (pinned.waiting() === null) say('The configuration was read again.')
      else {
        say('The configuration has changed and waits for "statewright config accept".')
        for (const { loosens } of pinned.waiting()?.changes ?? []) {
          if (loosens !== null) saySentence(`It loosens: ${loosens}`)
        }
      }
    })
  })
}

/** Ends in order on the first signal, and at once on the second. */
export function stopOn(running: Running, signal: 'SIGTERM' | 'SIGINT', exitCode: number): void {
  let isStopping = false
  process.on(signal, () => {
    if (isStopping) process.exit(exitCode)
    isStopping = true
    if (process.stderr.isTTY === true) say('Stopping; Ctrl-C again leaves at once.')
    running.stop().then(
      () => process.exit(exitCode),
      (fault) => {
        say(`stopping failed: ${fault instanceof Error ? fault.message : String(fault)}`)
        process.exit(1)
      },
    )
  })
}
