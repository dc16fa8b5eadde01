import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { runProgram } from '../../packages/server/testing/child.ts'
import type { Act, Cell } from './door.ts'
import { secrets } from './server.ts'

/** What came of an act, before anybody was told. */
export interface Result {
  readonly output: string
  readonly exit: number
}

/**
 * Does what was allowed, as a program would that has no sandbox: nothing in here holds it back, so
 * that whatever is held back was held by the door.
 */
export async function doByHand(cell: Cell, act: Act): Promise<Result> {
  if ('shell' in act) return runShell(cell, act.shell)
  const path = resolve(cell.project, act.write)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, act.text)
  return { output: `wrote ${act.write}`, exit: 0 }
}

export async function runShell({ project, server }: Cell, command: string): Promise<Result> {
  const { code, stdout, stderr } = await runProgram('/bin/bash', ['--norc', '-c', command], {
    cwd: project,
    environment: { PATH: process.env.PATH ?? '', HOME: server.home, ...secrets },
  })
  return { output: stdout + stderr, exit: code ?? 1 }
}
