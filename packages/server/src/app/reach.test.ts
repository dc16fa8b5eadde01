import { describe, expect, test } from 'vitest'
import { reachOf } from './reach.ts'

const url = 'https://statewright.example.com'

describe('from where the server is reached', () => {
  test.each([
    [{}, {}, {}],
    [{ host: '127.0.0.1' }, {}, { host: '127.0.0.1' }],
    [{ host: '0.0.0.0', publicUrl: [url] }, {}, { host: '0.0.0.0', publicUrls: [url] }],
    [
      {},
      { STATEWRIGHT_HOST: '::', STATEWRIGHT_PUBLIC_URL: `${url}, http://a` },
      {
        host: '::',
        publicUrls: [url, 'http://a'],
      },
    ],
    [{ publicUrl: [url] }, { STATEWRIGHT_PUBLIC_URL: 'http://other' }, { publicUrls: [url] }],
  ])('%j with %j', (options, environment, expected) => {
    expect(reachOf(options, environment)).toEqual({ ok: true, value: expected })
  })

  test.each([
    [{ host: '0.0.0.0' }, '--host'],
    [{ publicUrl: ['statewright.example.com'] }, '--public-url'],
    [{ publicUrl: ['javascript:alert(1)'] }, '--public-url'],
  ])('%j is refused', (options, where) => {
    expect(reachOf(options, {})).toMatchObject({ ok: false, error: { code: 'usage', where } })
  })
})
