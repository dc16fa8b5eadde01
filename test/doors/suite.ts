import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import type { Variables } from '../../packages/server/testing/child.ts'
import {
  type MailServer,
  startMailServer,
} from '../../packages/server/testing/peers/mail-service.ts'
import { playCell } from './cells.ts'
import type { Door } from './door.ts'
import { Grid } from './grid.ts'
import type { Row } from './row.ts'
import { conditionRows } from './rows-of-conditions.ts'
import { policyRows } from './rows-of-policy.ts'
import { runRows } from './rows-of-runs.ts'
import { shellRows } from './rows-of-shell.ts'
import { toolRows } from './rows-of-tools.ts'
import { Server } from './server.ts'
import { cellName, type Expected, expectedOf, isPlayed, withoutSandbox } from './table.ts'

/** What stands beside the servers while the table is played. */
export interface Surroundings {
  readonly mail: MailServer
}

export interface DoorSuite {
  readonly doors: (surroundings: () => Surroundings) => readonly Door[]
  /** Puts the programs that servers find before all others into a folder. */
  readonly programs: (folder: string) => void
  readonly environment?: () => Promise<Variables>
  /** What other answers hold here, by the names of cells. */
  readonly exceptions?: Readonly<Record<string, Expected>>
  readonly timeoutMs?: number
}

export const rows: readonly (Row & { readonly title: string })[] = [
  ...toolRows,
  ...shellRows,
  ...policyRows,
  ...conditionRows,
  ...runRows,
].map((row) => ({
  ...row,
  title: row.rules === '' ? row.name : `${row.rules}: ${row.name}`,
}))

const hasSandbox = (await findSandbox()).kind === 'bubblewrap'

/** Plays every row of the table at these doors, and prints what came of it. */
export function playTable(suite: DoorSuite): void {
  const grid = new Grid()
  const folder = mkdtempSync(join(tmpdir(), 'statewright-peers-'))
  let mail: MailServer
  let servers: Readonly<Record<'enforce' | 'observe', Server>>
  const doors = suite.doors(() => ({ mail }))

  beforeAll(async () => {
    mail = await startMailServer()
    suite.programs(folder)
    const environment = (await suite.environment?.()) ?? {}
    const start = (mode: 'enforce' | 'observe') =>
      Server.start({ mode, mailUrl: mail.url, programs: [folder], environment })
    const [enforce, observe] = await Promise.all([start('enforce'), start('observe')])
    servers = { enforce, observe }
  })

  afterAll(async () => {
    await Promise.all(Object.values(servers).map((server) => server.close()))
    await mail.close()
    rmSync(folder, { recursive: true })
    const names = doors.map(({ name }) => name)
    process.stdout.write(
      `\n${grid.print(
        rows.map(({ name }) => name),
        names,
      )}\n\n`,
    )
  })

  describe.each(doors)('at the door $name', (door) => {
    test.concurrent.each(rows)(
      '$title',
      async (row) => {
        const cell = cellName(row.name, door.name)
        const { answer } = suite.exceptions?.[cell] ?? expectedOf(row.name, door.name)
        const expected = hasSandbox ? answer : withoutSandbox(answer)
        const server = servers[row.mode ?? 'enforce']
        const observed = isPlayed({ answer }) ? await playCell(server, door, row) : answer
        grid.set(row.name, door.name, observed === expected ? observed : `≠ ${observed}`)
        expect(observed).toBe(expected)
      },
      suite.timeoutMs,
    )
  })
}
