import { hash } from 'node:crypto'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type Environment, stateHome } from './folders.ts'

/**
 * The program that clients start for every call, as `install` lays it down: a copy outside of every
 * workspace, in a folder that is called after the hash of all its files. An entry in a client's
 * settings names the folder, and with it what has to lie there.
 */
export interface HookProgram {
  readonly folder: string
  readonly hookFile: string
  readonly files: ReadonlyMap<string, string>
}

const copied = ['hook.cjs', 'project-key.cjs', 'status-line.cjs'] as const
/** Where the copy finds the command that it was copied from. */
const commandName = 'command.json'
const names: readonly string[] = [...copied, commandName]

export function commandFile(): string {
  return shipped('statewright.mjs')
}

export function hookProgram(environment: Environment): HookProgram {
  const files = new Map<string, string>(copied.map((name) => [name, inOneFile(name)]))
  files.set(commandName, `${JSON.stringify({ command: commandFile() })}\n`)
  const folder = join(
    copiesFolder(environment),
    hashOf((name) => files.get(name)),
  )
  return { folder, hookFile: join(folder, 'hook.cjs'), files }
}

/** With the module that it loads inside it: another file costs a hook half a millisecond. */
function inOneFile(name: string): string {
  const text = readFileSync(shipped(name), 'utf8')
  return text.replace("require('./project-key.cjs')", () => {
    const module = readFileSync(shipped('project-key.cjs'), 'utf8')
    return `(() => {\nconst module = { exports: {} }\n${module}return module.exports\n})()`
  })
}

/** Lays the program down where it is not there as it should be; a changed copy goes. */
export function writeHookProgram(environment: Environment): void {
  for (const changed of changedHookPrograms(environment)) removeFolder(changed)
  const { folder, files } = hookProgram(environment)
  if (isWhole(folder)) return
  // Made aside and moved as a whole: another installation may be at it, and a client may start it.
  mkdirSync(dirname(folder), { recursive: true, mode: 0o700 })
  const aside = mkdtempSync(join(dirname(folder), 'new-'))
  for (const [name, text] of files) writeFileSync(join(aside, name), text, { mode: 0o400 })
  chmodSync(aside, 0o500)
  try {
    renameSync(aside, folder)
  } catch (fault) {
    removeFolder(aside)
    if (!isWhole(folder)) throw fault
  }
}

/** Takes away every copy, when no client names one any more. */
export function removeHookPrograms(environment: Environment): void {
  for (const folder of foldersIn(copiesFolder(environment))) removeFolder(folder)
}

function removeFolder(folder: string): void {
  if (existsSync(folder)) chmodSync(folder, 0o700)
  rmSync(folder, { recursive: true, force: true })
}

/** Whether all that lies in a folder is what its name says. */
export function isWhole(folder: string): boolean {
  return existsSync(folder) && folder.endsWith(hashOf((name) => textAt(join(folder, name))))
}

/** Copies that somebody has changed. */
export function changedHookPrograms(environment: Environment): readonly string[] {
  return foldersIn(copiesFolder(environment)).filter((folder) => !isWhole(folder))
}

const freshMs = 1000

/** Looks after the copies for a server: at most once a second, and into files that changed only. */
export function watchHookPrograms(environment: Environment): () => string | undefined {
  const whole = new Map<string, string>()
  let at = Number.NEGATIVE_INFINITY
  let changed: string | undefined
  return () => {
    const now = performance.now()
    if (now - at < freshMs) return changed
    at = now
    changed = foldersIn(copiesFolder(environment)).find((folder) => {
      const seen = names.map((name) => traceOf(join(folder, name))).join()
      if (whole.get(folder) === seen) return false
      if (!isWhole(folder)) return true
      whole.set(folder, seen)
      return false
    })
    return changed
  }
}

/** What is another after every change of a file. */
function traceOf(path: string): string {
  const file = statSync(path, { throwIfNoEntry: false })
  return file === undefined ? '' : [file.ino, file.size, file.mtimeMs, file.ctimeMs].join(':')
}

function copiesFolder(environment: Environment): string {
  return join(stateHome(environment), 'hook')
}

function shipped(name: string): string {
  return fileURLToPath(new URL(`../../bin/${name}`, import.meta.url))
}

function hashOf(textOf: (name: string) => string | undefined): string {
  const pieces = names.map((name) => `${name}\n${hash('sha256', textOf(name) ?? '')}`)
  return hash('sha256', pieces.join('\n'))
}

function textAt(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return undefined
  }
}

/** Those that are called after a hash; what is still being made is not. */
function foldersIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => /^[0-9a-f]{64}$/.test(name))
      .map((name) => join(folder, name))
  } catch {
    return []
  }
}
