import { expect, test } from 'vitest'
import { scriptedAcp, scriptedClaude, writeScriptedClaude } from './agent-doors.ts'
import { hookDoors } from './hook-doors.ts'
import { httpDoor } from './http-door.ts'
import { mailDoor } from './mail-door.ts'
import { frontDoors, toolsDoors } from './mcp-doors.ts'
import { opencodeDoor } from './opencode-door.ts'
import { sdkDoors } from './sdk-doors.ts'
import { sessionTools } from './session-doors.ts'
import { playTable, rows } from './suite.ts'
import { doorNames, expectedOf, table } from './table.ts'

test('the table has an answer for every row at every door', () => {
  expect(rows.map(({ name }) => name).toSorted()).toEqual(Object.keys(table).toSorted())
  for (const { name } of rows) for (const door of doorNames) expectedOf(name, door)
})

playTable({
  programs: writeScriptedClaude,
  doors: (surroundings) => {
    const doors = [
      ...hookDoors,
      opencodeDoor,
      ...frontDoors,
      ...toolsDoors,
      sessionTools,
      scriptedClaude,
      scriptedAcp,
      httpDoor,
      ...sdkDoors,
      mailDoor(() => surroundings().mail),
    ]
    // A door that nobody plays would be missing without a word.
    return doorNames.map((name) => {
      const door = doors.find((one) => one.name === name)
      if (door === undefined) throw new Error(`nobody plays ${name}`)
      return door
    })
  },
})
