import { allEntries } from '../entries/all.ts'
import type { ProgramEntry, Role } from './entry.ts'

export interface Option {
  readonly name: string
  readonly role: Role
  readonly takes: 'nothing' | 'value' | 'maybe'
}

/** An entry made ready for looking things up. */
export interface Program {
  readonly entry: Omit<ProgramEntry, 'names'>
  readonly options: ReadonlyMap<string, Option>
  readonly longNames: readonly string[]
  readonly subs: ReadonlyMap<string, Program> | null
  readonly isSub: boolean
  readonly changeOperand: RegExp | null
  readonly codeOperand: RegExp | null
  readonly remoteOperand: RegExp | null
  /** By the name of an option, what its value must not look like. */
  readonly codeValue: ReadonlyMap<string, RegExp>
  /** What counts behind `--`. */
  readonly behind: Program | null
  /** Some option of it writes or runs something, so an unknown argument matters. */
  readonly isRisky: boolean
  /** Some option of it starts programs, or where the started one stands depends on options. */
  readonly canStart: boolean
}

export type ProgramTable = ReadonlyMap<string, Program>

/** Built once, and an entry is compiled when it is first needed. */
const byName = new Map<string, ProgramEntry>()
for (const entry of allEntries) {
  for (const name of entry.names.split(' ')) byName.set(name, entry)
}
const compiled = new Map<string, Program>()

/** The programs we know, with those of the configuration in front. */
export function findProgram(extra: ProgramTable, name: string): Program | undefined {
  const own = extra.get(name) ?? compiled.get(name)
  if (own !== undefined) return own
  const entry = byName.get(name)
  if (entry === undefined) return undefined
  const program = compileEntry(entry)
  for (const each of entry.names.split(' ')) compiled.set(each, program)
  return program
}

/** Compiles the entries of a configuration; do it once, not for every command. */
export function compilePrograms(entries: readonly ProgramEntry[]): ProgramTable {
  const table = new Map<string, Program>()
  for (const entry of entries) {
    const program = compileEntry(entry)
    for (const name of entry.names.split(' ')) table.set(name, program)
  }
  return table
}

const risky = new Set<Role>([
  'write',
  'writeTo',
  'writeAlso',
  'change',
  'run',
  'program',
  'code',
  'environment',
])

const starting = new Set<Role>(['run', 'program', 'code'])

/** Options after which nearly every program only prints, where they come first. */
export const help: ReadonlySet<string> = new Set(['--help', '--version'])

/** Makes the options of a reader ready, once. */
export function compileOptions(entry: Omit<ProgramEntry, 'names'>): Program {
  return compileEntry(entry)
}

function compileEntry(entry: Omit<ProgramEntry, 'names'>): Program {
  const options = new Map<string, Option>()
  const startsOther = entry.does === 'run' || entry.wraps !== undefined
  let isRisky = startsOther
  let canStart = startsOther
  // The keys are roles.
  for (const [role, text] of Object.entries(entry.options ?? {}) as [Role, string][]) {
    for (const written of text.split(' ')) {
      if (written === '') continue
      const option = readOption(written, role)
      options.set(option.name, option)
    }
    if (risky.has(role)) isRisky = true
    if (starting.has(role)) canStart = true
  }
  let subs: Map<string, Program> | null = null
  if (entry.sub !== undefined) {
    subs = new Map()
    for (const [names, sub] of Object.entries(entry.sub)) {
      const program = { ...compileEntry(sub), isSub: true }
      for (const name of names.split(' ')) subs.set(name, program)
    }
  }
  const longNames = [...options.keys()].filter((name) => name.startsWith('--'))
  const changeOperand = entry.changeOperand ? new RegExp(entry.changeOperand) : null
  const behind = entry.behind ? compileEntry({ does: 'read', options: entry.behind }) : null
  const codeOperand = entry.codeOperand ? new RegExp(entry.codeOperand) : null
  const remoteOperand = entry.remoteOperand ? new RegExp(entry.remoteOperand) : null
  const codeValue = new Map<string, RegExp>()
  for (const [names, text] of Object.entries(entry.codeValue ?? {})) {
    for (const name of names.split(' ')) codeValue.set(name, new RegExp(text))
  }
  const valueRules = { changeOperand, codeOperand, remoteOperand, codeValue }
  const shape = { options, longNames, subs, isSub: false, behind }
  return { entry, ...shape, ...valueRules, isRisky, canStart }
}

function readOption(written: string, role: Role): Option {
  const last = written.at(-1)
  if (last === ':') return { name: written.slice(0, -1), role, takes: 'value' }
  if (last === '?' && written.length > 2) {
    return { name: written.slice(0, -1), role, takes: 'maybe' }
  }
  return { name: written, role, takes: 'nothing' }
}

/** How dangerous a role is, to settle what an ambiguous abbreviation means. */
export function isHarmlessRole(role: Role): boolean {
  return !risky.has(role)
}
