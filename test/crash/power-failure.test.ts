import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { afterAll, expect, test } from 'vitest'
import { patience, Testbed } from '../../packages/server/testing/testbed.ts'

const testbed = new Testbed()
afterAll(() => testbed.close())

/** Elsewhere a power failure cannot be told from a damaged folder. */
const tellsBoots = existsSync('/proc/sys/kernel/random/boot_id')

test.skipIf(!tellsBoots)(
  'WF-34: after a power failure `up` says what was lost, and where it is kept',
  patience,
  async () => {
    const data = join(testbed.folder, 'data')
    const first = await testbed.up('--data', data)
    first.child.kill('SIGTERM')
    await once(first.child, 'exit')
    const journal = journalOfEarlierBoot()
    writeFileSync(join(data, 'statewright.journal'), journal)
    const { child, talk } = await testbed.up('--data', data)
    await expect.poll(talk, patience).toMatch(/before an answered decision reached the disk/)
    const [, copy = ''] = /a copy is in (\S+)\. With "durability: power"/.exec(talk()) ?? []
    expect(readFileSync(copy, 'utf8')).toBe(journal)
    child.kill('SIGTERM')
    await once(child, 'exit')
    const again = await testbed.up('--data', data)
    again.child.kill('SIGTERM')
    await once(again.child, 'exit')
    expect(again.talk()).not.toContain('reached the disk')
  },
)

/** It continues a history whose beginning never reached the disk. */
function journalOfEarlierBoot(): string {
  const entries = [{ seq: 7, hash: 'h', callId: null, entry: '{}' }]
  const row = { status: 'running', state: 'a', updatedAt: 0, calls: 0, denials: 0 }
  const more = { transitions: 0, costMicros: 0 }
  const lists = { entries, opened: [], closed: [], blobs: [] }
  const position = { afterSeq: 6, lastSeq: 7, chain: 'h', snapshot: null, policyEpoch: null }
  const batch = { ...position, ...lists, row: { ...row, ...more } }
  const line = JSON.stringify({ type: 'append', runId: 'run_lost', batch })
  const boot = randomUUID()
  return `statewright journal 1 ${boot} ${checkOf(boot)}\n${checkOf(line)} ${line}\n`
}

function checkOf(text: string): string {
  return crc32(text).toString(16)
}
