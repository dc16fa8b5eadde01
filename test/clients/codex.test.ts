import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { beforeAll, describe, expect, test } from 'vitest'
import { clientSuite } from './client-suite.ts'
import { codex, impersonateInCodex, patch } from './codex-client.ts'
import { done, driveClient, limits } from './drive-client.ts'

const isTried = clientSuite(codex)
const { shell, transition } = codex

describe.skipIf(!isTried)('the patches of Codex', limits, () => {
  const { inWork, inHome, install, play, received } = driveClient(codex)
  beforeAll(install, limits.timeout)

  test('WF-6: a patch is judged by each thing that it does', async () => {
    writeFileSync(inWork('old.txt'), 'one\ntwo\n')
    const update = ['*** Update File: old.txt', '*** Move to: ../outside.txt']
    const move = patch(...update, '@@', '-one', '+three', ' two')
    await play([[move], [patch('*** Delete File: old.txt')], done])
    expect(readFileSync(inWork('old.txt'), 'utf8')).toBe('one\ntwo\n')
    expect(existsSync(inHome('outside.txt'))).toBe(false)
    for (const request of [1, 2]) expect(received(request)).toContain('tool_not_allowed')
  })
})

describe.skipIf(!isTried)('the real Codex that may be given another command', limits, () => {
  const { inWork, install, playOpen, received } = driveClient(codex, { rewrite_with_allow: true })
  beforeAll(install, limits.timeout)

  test('SH-13, SH-15: a blocked variable is really absent', async () => {
    const script = inWork('look.cjs')
    const look = "const { BLOCKED_THING: b, OPEN_THING: o } = process.env; console.log('saw', b, o)"
    writeFileSync(script, look)
    await playOpen(shell(`${process.execPath} ${script}`))
    expect(received(3)).toContain('saw undefined in-sight')
  })
})

describe.skipIf(!isTried)('a server of our name in Codex that is not ours', limits, () => {
  const { guarded, inWork, install, play } = driveClient(codex)
  beforeAll(install, limits.timeout)

  test('unjudged_call: what it answered is told, since it never came to us', async () => {
    const fake = fileURLToPath(new URL('../support/impostor-mcp.mjs', import.meta.url))
    const reached = inWork('reached.txt')
    impersonateInCodex(guarded().home, [process.execPath, fake, reached])
    await play([[transition('READY')], done])
    expect(existsSync(reached)).toBe(true)
    expect(await guarded().history()).toEqual(['run_started', 'gap'])
  })
})
