import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { networkInterfaces, tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { choosePort } from './choose-port.ts'

const hasIpv6 = Object.values(networkInterfaces()).some((all) =>
  all?.some(({ address }) => address === '::1'),
)

describe.runIf(hasIpv6)('the port of a server', () => {
  test.each([undefined, 'localhost', '127.0.0.1', '::1'])(
    'PE-11: on %s is free at every address that localhost means',
    async (host) => {
      const data = mkdtempSync(join(tmpdir(), 'statewright-port-'))
      const other = createServer()
      await new Promise<void>((resolve) => other.listen(0, '::1', resolve))
      const address = other.address()
      const taken = typeof address === 'object' && address !== null ? address.port : 0
      writeFileSync(join(data, 'port'), `${taken}\n`)
      const chosen = await choosePort(data, host, { HOME: data })
      expect(chosen.port).not.toBe(taken)
      expect(chosen.warning).toContain(`Port ${taken} is in use by another program`)
      expect(chosen.warning).toContain('Log in again with the link below.')
      await new Promise((resolve) => other.close(resolve))
      rmSync(data, { recursive: true })
    },
  )
})
