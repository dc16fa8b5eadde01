import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describeCall } from '@statewright/core/internal'
import { programPaths } from '../../home/program-paths.ts'
import { defaultSettings, type RuntimeSettings } from '../../runtime/settings.ts'
import { workspaceFacts } from '../workspace-facts.ts'
import { protectSelf } from './self-protection.ts'

export const folder = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-own-')))
export const home = join(folder, 'home')
export const root = join(home, 'work')
export const data = join(home, '.local/state/statewright')

/** Hard links do not lead from one disk to another, so that a program of the test has them. */
const program = join(folder, 'program')

/** As `npm install -g` would put it there. */
export const prefix = join(folder, 'prefix')
const installed = join(prefix, 'lib/node_modules/statewright')

const settings: RuntimeSettings = {
  ...defaultSettings,
  home,
  protectedPaths: [data, join(home, '.config/statewright')],
  protectedFiles: [join(root, 'statewright.yaml')],
  askPaths: [join(root, 'deploy')],
  program: [...programPaths(), program, installed],
}

/** A home with a workspace in it, our data, and links to what is protected. */
export function makeWorld(): void {
  for (const path of [
    data,
    root,
    join(root, '.claude'),
    join(root, '.git/hooks'),
    join(root, 'sub'),
  ])
    mkdirSync(path, { recursive: true })
  mkdirSync(join(home, '.claude'))
  writeFileSync(join(data, 'store.db'), 'secret')
  writeFileSync(join(home, '.claude/settings.json'), '{}')
  writeFileSync(join(root, '.claude/settings.json'), '{}')
  writeFileSync(join(root, '.git/config'), '')
  writeFileSync(join(root, 'statewright.yaml'), '')
  symlinkSync(data, join(root, 'link'))
  symlinkSync(join(root, '.mcp.json'), join(root, 'dangling'))
  mkdirSync(program)
  mkdirSync(installed, { recursive: true })
  writeFileSync(join(installed, 'README.md'), '')
  writeFileSync(join(program, 'hook.cjs'), '')
  writeFileSync(join(root, 'source.ts'), '')
  symlinkSync(program, join(root, 'linked-program'))
  linkSync(join(program, 'hook.cjs'), join(root, 'hard-hook.cjs'))
  linkSync(join(root, 'source.ts'), join(root, 'hard-source.ts'))
  linkSync(join(data, 'store.db'), join(root, 'hard'))
  linkSync(join(root, '.claude/settings.json'), join(root, 'hard-settings'))
}

export function removeWorld(): void {
  rmSync(folder, { recursive: true })
}

/** What our protection says of a call: allow, ask or deny. */
export function judge(tool: string, input: unknown, cwd?: string): string {
  const call = describeCall({ id: 'c', tool, input }, workspaceFacts(defaultSettings, root, cwd))
  const answers = protectSelf(settings, { input, call, root, cwd, ownPorts: new Set([4747]) })
  return answers.map(({ kind }) => kind).join() || 'allow'
}

export const shell = (command: string, cwd?: string) => judge('Bash', { command }, cwd)
