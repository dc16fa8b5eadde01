import {
  closeSync,
  ftruncateSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { runProgram } from '../../../testing/child.ts'
import { claude, lines } from '../../transcripts/fixtures.test-kit.ts'

const isLong = process.env.STATEWRIGHT_TEST_LONG !== undefined
const size = isLong ? 2 * 1024 ** 3 : 48 * 1024 ** 2
const patience = { timeout: isLong ? 1_200_000 : 120_000 }
/** In kilobytes, whatever the size: the program itself takes most of it. */
const maxResident = 450_000

const command = fileURLToPath(new URL('../../../bin/statewright.mjs', import.meta.url))
const tellMemory =
  'process.on("exit", () => process.stderr.write(String(process.resourceUsage().maxRSS)))'

let home: string
beforeAll(() => {
  home = mkdtempSync(join(tmpdir(), 'statewright-large-'))
  mkdirSync(join(home, '.claude/projects/p'), { recursive: true })
})
afterAll(() => rmSync(home, { recursive: true, force: true }))

async function replay(write: (file: number) => void) {
  const path = join(home, '.claude/projects/p/s.jsonl')
  const file = openSync(path, 'w')
  write(file)
  closeSync(file)
  const preload = ['--import', `data:text/javascript,${encodeURIComponent(tellMemory)}`]
  const args = [...preload, command, 'replay', '--claude-code', '--template', 'bugfix', '--json']
  const environment = { PATH: '/usr/bin:/bin', HOME: home }
  const ran = await runProgram(process.execPath, args, { cwd: home, environment })
  return { report: JSON.parse(ran.stdout), resident: Number(ran.stderr) }
}

describe('a transcript of any size', () => {
  test('RP-25: is read in bounded memory, line by line', patience, async () => {
    let calls = 0
    const { report, resident } = await replay((file) => {
      const content = 'x'.repeat(40_000)
      for (let written = 0; written < size; calls++) {
        const id = `t${calls}`
        const input = { command: calls % 3 === 0 ? 'npm test' : `ls src/${calls}` }
        written += writeSync(
          file,
          lines(claude.call(calls, id, 'Bash', input), claude.result(calls, id, { content })),
        )
      }
    })
    expect(report).toMatchObject({ decisions: calls, same: calls })
    expect(resident).toBeGreaterThan(10_000)
    expect(resident).toBeLessThan(maxResident)
  })

  test(
    'RP-25: that is one line without end costs a word, and what follows it counts',
    patience,
    async () => {
      const { report, resident } = await replay((file) => {
        // A hole in the file: so many bytes that nobody wrote.
        ftruncateSync(file, size)
        writeSync(file, `\n${lines(claude.call(1, 't1', 'Bash', { command: 'git push' }))}`, size)
      })
      expect(report).toMatchObject({
        decisions: 1,
        differences: { newly_denied: 1 },
        notes: [{ text: 'Lines left out (too long)', count: 1 }],
      })
      expect(resident).toBeLessThan(maxResident)
    },
  )
})
