import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { codingClients } from '../../packages/server/src/clients/coding-clients.ts'
import { type GuardedHome, openGuardedHome } from './guarded-home.ts'

const limits = { timeout: 120_000 }
const clients = [...codingClients.keys()]

interface Report {
  readonly ok: boolean
  readonly trust: { readonly level: string } | null
  readonly clients: readonly {
    readonly client: string
    readonly findings: readonly { check: string; status: string; message: string }[]
  }[]
}

let guarded: GuardedHome

async function doctor(client: string): Promise<{ code: number | null; found: string[] }> {
  const { code, stdout } = await guarded.command(['doctor', client, '--json'])
  const report: Report = JSON.parse(stdout)
  const found = report.clients.flatMap(({ findings }) =>
    findings
      // No client is on this machine, which is told and holds nothing up.
      .filter(({ status, check }) => status !== 'ok' && check !== 'client')
      .map(({ check, status, message }) => `${status} ${check}: ${message}`),
  )
  return { code, found }
}

/** Changes a settings file for the time of one look. */
async function whileChanged<Value>(
  path: string,
  change: (text: string) => string,
  look: () => Promise<Value>,
): Promise<Value> {
  const before = readFileSync(path, 'utf8')
  writeFileSync(path, change(before))
  try {
    return await look()
  } finally {
    writeFileSync(path, before)
  }
}

describe('statewright doctor', limits, () => {
  beforeAll(async () => {
    guarded = await openGuardedHome('doctor')
    for (const client of clients) {
      const { code, stderr } = await guarded.command(['install', client, '--user', '--yes'])
      expect(`${client} ${code}\n${stderr}`).toMatch(/^[a-z-]+ 0\n/)
    }
  }, limits.timeout)
  afterAll(() => guarded.close())

  const claudeSettings = () => join(guarded.home, '.claude', 'settings.json')
  const geminiSettings = () => join(guarded.home, '.gemini', 'settings.json')
  const plugin = () => join(guarded.home, '.config/opencode/plugins/statewright.js')

  test.each(clients)('sees that %s is whole, and its canary denied', async (client) => {
    const { code, stdout } = await guarded.command(['doctor', client, '--json'])
    const report: Report = JSON.parse(stdout)
    const findings = report.clients.flatMap((one) => one.findings)
    expect(findings.filter(({ status }) => status === 'broken')).toEqual([])
    expect(findings.find(({ check }) => check === 'canary')?.status).toBe('ok')
    expect([code, report.ok]).toEqual([0, true])
    expect(report.trust?.level).toMatch(/^L[012]$/)
  })

  test('leaves what it found where the dashboard sees it, and its run stopped', async () => {
    const { value } = await guarded.server.ask('GET', '/api/clients')
    // A look at one client leaves what was found of the others.
    const looked = clients.map((client) => expect.objectContaining({ client }))
    expect(value).toMatchObject({ report: { ok: true, clients: expect.arrayContaining(looked) } })
    const { value: page } = await guarded.server.ask('GET', '/api/runs?status=running')
    expect(page).toMatchObject({ runs: [] })
  })

  test('warns of nothing once the client has written into its files too', async () => {
    const own = (text: string) => text.replace(/\n\}\s*$/, ',\n  "firstStartTime": "today"\n}\n')
    const files = { 'claude-code': '.claude.json', gemini: '.gemini/settings.json' }
    for (const [client, file] of Object.entries(files)) {
      const path = join(guarded.home, file)
      expect(await whileChanged(path, own, () => doctor(client))).toEqual({ code: 0, found: [] })
    }
  })

  test('finds entries that were taken out', async () => {
    const drop = (text: string) => text.replace('"PreToolUse"', '"PreToolUseX"')
    const { code, found } = await whileChanged(claudeSettings(), drop, () => doctor('claude-code'))
    expect(code).toBe(3)
    expect(found[0]).toContain('broken settings: Missing or changed: hooks.PreToolUse in')
  })

  test('claims no protection beside a red line, and names a file once', async () => {
    const { stdout } = await whileChanged(
      claudeSettings(),
      () => '{}\n',
      () => guarded.command(['doctor', 'claude-code']),
    )
    const plain = stdout.replaceAll(/\s+/g, ' ')
    expect(plain).not.toContain('Every call is checked')
    expect(plain).toContain('Protection: none is certain until every BROKEN line is fixed.')
    expect(plain).not.toContain('call through the installed hook was denied')
    expect(plain).toContain('its client may not start it until the settings are fixed')
    expect(plain).toMatch(
      /Missing or changed: hooks\.PreToolUse, hooks\.ConfigChange, [^:]+ in \S+\./,
    )
  })

  test('says in one line which hook program is missing', async () => {
    const folder = join(guarded.home, '.local/state/statewright/hook')
    renameSync(folder, `${folder}-gone`)
    const { found } = await doctor('claude-code').finally(() =>
      renameSync(`${folder}-gone`, folder),
    )
    expect(found.join()).toMatch(
      /did not answer: it ended with 1: Error: Cannot find [^\n]+hook\.cjs'\.$/,
    )
  })

  test('says of a file that is no JSON what mends it: installing again would refuse', async () => {
    const { found } = await whileChanged(
      claudeSettings(),
      () => '{',
      () => doctor('claude-code'),
    )
    expect(found[0]).toBe(`broken settings: ${claudeSettings()} is not valid JSON.`)
    const { stdout } = await whileChanged(
      claudeSettings(),
      () => '{',
      () => guarded.command(['doctor', 'claude-code']),
    )
    expect(stdout.replaceAll(/\s+/g, ' ')).toContain('next: fix that file or remove it, then run "')
  })

  test('finds hooks that were switched off', async () => {
    const off = (text: string) => text.replace('{', '{"disableAllHooks": true,')
    const claude = await whileChanged(claudeSettings(), off, () => doctor('claude-code'))
    expect(claude.code).toBe(3)
    expect(claude.found.join()).toContain('disableAllHooks in')
    const none = (text: string) => text.replace('{', '{"hooksConfig": {"enabled": false},')
    const gemini = await whileChanged(geminiSettings(), none, () => doctor('gemini'))
    expect(gemini.code).toBe(3)
    expect(gemini.found.join()).toContain('hooksConfig.enabled in')
  })

  test('finds a plugin that is another one, and does not start it', async () => {
    const hollow = () => 'export const Statewright = async () => ({})\n'
    const { code, found } = await whileChanged(plugin(), hollow, () => doctor('opencode'))
    expect(code).toBe(3)
    expect(found.join()).toContain('broken settings: Missing or changed: the file as it was')
    expect(found.join()).toContain('broken canary: Not tried: something else changed the plugin')
  })

  test('says in plain lines what is broken when the server is gone', async () => {
    await guarded.server.kill('SIGKILL')
    const { code, stdout } = await guarded.command(['doctor', 'gemini'])
    expect(code).toBe(3)
    expect(stdout).toContain('BROKEN   server: Nothing answers at')
    expect(stdout).toMatch(/^Statewright \S+\n/)
  })

  test('says that nothing is installed', async () => {
    const { code, stderr } = await guarded.command(['doctor', 'nobody'])
    expect(code).toBe(4)
    expect(stderr).toContain(`not_found: nobody is not guarded in ${guarded.work}.`)
  })
})
