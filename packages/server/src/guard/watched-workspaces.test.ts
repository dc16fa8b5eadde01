import { existsSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import type { Bubblewrap } from '../sandbox/bubblewrap.ts'
import { makeCage } from '../sandbox/cage.ts'
import { innerGuards } from './protect/inner-guards.ts'
import { WatchedWorkspaces } from './watched-workspaces.ts'

let folder: string
let workspace: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-watched-')))
  workspace = join(folder, 'project')
  mkdirSync(workspace)
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))

/** Stands where bubblewrap would: it takes the same words, contains nothing and checks nothing. */
function openCage(): Bubblewrap {
  const program = join(folder, 'cage')
  // Nine words of ours that look at the mounts stand before the command.
  const script = '#!/bin/bash\nwhile [ "$1" != -- ]; do shift; done\nshift 10\nexec "$@"\n'
  writeFileSync(program, script, { mode: 0o755 })
  const shell = '/bin/bash'
  const abilities = { disablesUserNamespaces: false, filtersSockets: false }
  return { kind: 'bubblewrap', program, shell, ...abilities }
}

test('SE-10c: what a person let be made stays, what a command made does not', async () => {
  const workspaces = new WatchedWorkspaces(openCage())
  const [allowed, other] = ['.npmrc', '.yarnrc'].map((name) => join(workspace, name))
  if (allowed === undefined || other === undefined) throw new Error('two paths')
  const keep = [allowed, other]
  const begin = () =>
    workspaces.watch({
      ...{ workspace, keep, live: [], allowed: [], inner: innerGuards(workspace) },
      makeCage: () => makeCage({ workspace, mayWrite: true, network: false, hide: [], keep }),
    })
  const [first, second] = [begin(), begin()]
  workspaces.allow(workspace, [allowed])
  for (const path of keep) writeFileSync(path, '')
  expect(await first.over()).toEqual([other])
  expect(await second.over()).toEqual([])
  expect(keep.map((path) => existsSync(path))).toEqual([true, false])
  // The next command finds it there and leaves it alone.
  expect(await begin().over()).toEqual([])
  expect(existsSync(allowed)).toBe(true)
})
