import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type MailServer, startMailServer } from '../../packages/server/src/http/mail.test-kit.ts'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import { scriptedPrograms, sessionAcp, sessionClaude } from './agent-doors.ts'
import { playCell } from './cells.ts'
import type { Door } from './door.ts'
import { Grid } from './grid.ts'
import { hookDoors } from './hook-doors.ts'
import { httpDoor } from './http-door.ts'
import { mailDoor } from './mail-door.ts'
import { frontDoor, toolsDoor } from './mcp-doors.ts'
import { opencodeDoor } from './opencode-door.ts'
import type { Row } from './row.ts'
import { policyRows } from './rows-of-policy.ts'
import { shellRows } from './rows-of-shell.ts'
import { toolRows } from './rows-of-tools.ts'
import { sdkDoors } from './sdk-doors.ts'
import { Server } from './server.ts'
import { sessionTools } from './session-doors.ts'
import {
  cellName,
  doorNames,
  expectedOf,
  isPlayed,
  notYetGreen,
  table,
  withoutSandbox,
} from './table.ts'

const doors: readonly Door[] = [
  ...hookDoors,
  opencodeDoor,
  frontDoor,
  toolsDoor,
  sessionTools,
  sessionClaude,
  sessionAcp,
  httpDoor,
  ...sdkDoors,
  mailDoor(() => mail),
]
const rows = [...toolRows, ...shellRows, ...policyRows].map((row) => ({
  ...row,
  title: row.rules === '' ? row.name : `${row.rules}: ${row.name}`,
}))
const hasSandbox = (await findSandbox()).kind === 'bubblewrap'
const grid = new Grid()

let mail: MailServer
let programs: string
let servers: Readonly<Record<'enforce' | 'observe', Server>>

beforeAll(async () => {
  mail = await startMailServer()
  programs = scriptedPrograms(mkdtempSync(join(tmpdir(), 'statewright-peers-')))
  const start = (mode: 'enforce' | 'observe') =>
    Server.start({ mode, mailUrl: mail.url, programs: [programs] })
  const [enforce, observe] = await Promise.all([start('enforce'), start('observe')])
  servers = { enforce, observe }
})

afterAll(async () => {
  await Promise.all(Object.values(servers).map((server) => server.close()))
  await mail.close()
  rmSync(programs, { recursive: true })
  const names = rows.map(({ name }) => name)
  process.stdout.write(`\n${grid.print(names, doorNames)}\n\n`)
})

test('the table has an answer for every row at every door', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(table).toSorted())
  expect(doors.map(({ name }) => name).toSorted()).toEqual(doorNames.toSorted())
  for (const { name } of rows) for (const door of doorNames) expectedOf(name, door)
})

describe.each(doors)('at the door $name', (door) => {
  test.concurrent.each(rows)('$title', async (row) => {
    const { answer } = expectedOf(row.name, door.name)
    const expected = hasSandbox ? answer : withoutSandbox(row.name, answer)
    const observed = isPlayed({ answer }) ? await observe(door, row) : answer
    grid.set(row.name, door.name, observed === expected ? observed : `≠ ${observed}`)
    if (!notYetGreen.has(cellName(row.name, door.name))) expect(observed).toBe(expected)
    else if (observed === expected) {
      process.stdout.write(`now green: ${cellName(row.name, door.name)}\n`)
    }
  })
})

function observe(door: Door, row: Row): Promise<string> {
  return playCell(servers[row.mode ?? 'enforce'], door, row)
}
