import { mkdtempSync, realpathSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, test } from 'vitest'
import { loosening } from './loosening.ts'
import { checkOidc, type OidcConfig } from './oidc-schema.ts'
import { unaskedSettings } from './outward.ts'
import { parseConfig } from './read-file.ts'
import { defaults } from './schema.ts'

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-oidc-')))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const oidc: OidcConfig = {
  issuer: 'https://login.example.com/realms/team',
  client_id: 'statewright',
  roles: { reviewers: ['approve'], guests: [] },
}

const read = (more: object) => {
  const parsed = parseConfig(JSON.stringify({ oidc: { ...oidc, ...more } }), 'statewright.yaml')
  return parsed.ok ? 'fine' : [parsed.error.code, parsed.error.message, parsed.error.next]
}

describe('oidc in a configuration', () => {
  test.each([
    { issuer: 'https://login.example.com' },
    { issuer: 'http://localhost:8080/realms/a' },
    { issuer: 'http://[::1]:8080' },
    { client_secret_env: 'SECRET', scopes: ['profile', 'groups'], roles_claim: 'groups' },
    { without_role: 'look', break_glass: true, client_auth: 'post' },
  ])('PE-17: may say %j', (more) => {
    expect(read(more)).toBe('fine')
  })

  test.each([
    [{ issuer: 'http://login.example.com' }, /with https/],
    [{ issuer: 'http://localhost.evil.test/' }, /with https/],
    [{ issuer: 'http://127.0.0.1:80@evil.test' }, /with https/],
    [{ issuer: 'https://login.example.com?tenant=a' }, /without query/],
    [{ client_secret: 'abc' }, /Unknown field "client_secret"/],
    [{ client_secret_env: 'not a name' }, /name of a variable/],
    [{ scopes: ['open id'] }, /without spaces/],
    [{ roles: { reviewers: ['aprove'] } }, /approve/],
    [{ roles: undefined }, /roles/],
  ])('PE-17: may not say %j', (more, why) => {
    expect(read(more)).toEqual([
      'config_invalid',
      expect.stringMatching(why),
      expect.stringContaining('fix the file'),
    ])
  })

  test('PE-17: keeps its secret out of the project', () => {
    const project = join(folder, 'project')
    symlinkSync(project, join(folder, 'link'))
    const check = (client_secret_file: string, more = {}) => {
      const checked = checkOidc({ ...oidc, client_secret_file, ...more }, project)
      return checked.ok ? 'fine' : [checked.error.code, checked.error.where]
    }
    const refused = ['config_invalid', 'oidc.client_secret_file']
    expect(check(join(folder, 'secret'))).toBe('fine')
    expect(check(join(project, 'deep/secret'))).toEqual(refused)
    expect(check('secret')).toEqual(refused)
    expect(check(join(folder, 'secret'), { client_secret_env: 'SECRET' })).toEqual(refused)
  })

  test('PE-17: changes by a person who sees what it means', () => {
    expect(loosening({ key: 'oidc', from: null, to: oidc })).toBe(
      'https://login.example.com/realms/team decides who may log in here, and what they may do ' +
        '(reviewers: approve; guests: look).',
    )
    const open = { ...oidc, without_role: 'look', break_glass: true }
    const looser = loosening({ key: 'oidc', from: oidc, to: open })
    expect(looser).toMatch(/Everybody else .* may look\. The terminal .* shows login links\.$/)
    expect(loosening({ key: 'oidc', from: oidc, to: null })).toMatch(/links, passkeys and PINs/)
  })

  test('PE-17: of a project is off until accepted; of the user it holds', () => {
    const settings = { ...defaults, oidc }
    expect(unaskedSettings(settings, ['oidc']).oidc).toBe(null)
    expect(unaskedSettings(settings, []).oidc).toEqual(oidc)
  })
})
