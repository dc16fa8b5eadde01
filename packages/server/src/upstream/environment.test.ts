import { expect, test } from 'vitest'
import { secretVariables } from '../sandbox/environment.test-kit.ts'
import { childEnvironment } from './environment.ts'

const harmless = { PATH: '/bin', HOME: '/home/a', TMPDIR: '/tmp', SSL_CERT_FILE: '/certs' }

test('a server behind us is given no secret of ours', () => {
  expect(childEnvironment({ ...harmless, ...secretVariables, LANG: '() { x; }' })).toEqual(harmless)
})

test('it is given what its own entry sets, in which a secret of ours stays empty', () => {
  const ours = { ...harmless, ...secretVariables, REGION: 'eu' }
  const entry = {
    KEY: `$\{SOME_API_KEY}`,
    PLACE: `$\{REGION}`,
    X: `a$\{DATABASE_URL}$\{STATEWRIGHT_TOKEN}`,
  }
  expect(childEnvironment(ours, entry)).toEqual({ ...harmless, KEY: 'k', PLACE: 'eu', X: 'a' })
})

test('it is given a proxy without a login alone', () => {
  const open = { HTTPS_PROXY: 'http://proxy:8080', no_proxy: 'localhost' }
  const shut = { HTTP_PROXY: 'http://ann:secret@proxy:8080' }
  expect(childEnvironment({ ...open, ...shut })).toEqual(open)
})
