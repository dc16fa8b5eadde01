import { isJsonObject } from '../base/json.ts'
import { own } from '../base/own.ts'

/** What a shell tool is asked to run, and which field of its input says so. */
export interface ShellInput {
  /** Null when the input itself is the command. */
  readonly field: string | null
  /** One text for a shell, or a program with its arguments. */
  readonly command: string | readonly string[]
  /** The directory that the call names for its command. */
  readonly cwd?: string
}

const commandFields = ['command', 'cmd', 'script']
const directoryFields = ['workdir', 'cwd', 'working_directory', 'directory', 'dir_path']
const backgroundFields = [
  ...['run_in_background', 'background', 'is_background', 'isBackground', 'detach'],
]
const backgroundModes: readonly unknown[] = ['async', 'detached']

/** A command is one text or a list of words; anything else cannot be judged. */
export function shellInput(input: unknown): ShellInput | undefined {
  if (typeof input === 'string') return { field: null, command: input }
  if (!isJsonObject(input)) return undefined
  const given = commandFields.filter((name) => Object.hasOwn(input, name))
  const [field] = given
  // Two commands in one call: which of them would run is not ours to guess.
  if (field === undefined || given.length !== 1) return undefined
  const command = own(input, field)
  const cwd = directoryOf(input)
  const folder = cwd === undefined ? {} : { cwd }
  if (typeof command === 'string') return { field, command, ...folder }
  if (!Array.isArray(command)) return undefined
  const words = command.filter((word) => typeof word === 'string')
  return words.length === command.length ? { field, command: words, ...folder } : undefined
}

const otherShell = /power|pwsh|(?:^|[\\/])cmd(?:\.exe)?$/i

/** Whether a call names a shell whose language is not read here: PowerShell or cmd (SH-2). */
export function isOtherShell(tool: string, input: unknown): boolean {
  if (otherShell.test(tool)) return true
  const shell = isJsonObject(input) ? own(input, 'shell') : undefined
  return typeof shell === 'string' && otherShell.test(shell)
}

export function isInBackground(input: unknown): boolean {
  if (!isJsonObject(input)) return false
  if (backgroundModes.includes(own(input, 'mode'))) return true
  return backgroundFields.some((name) => !noValues.includes(own(input, name)))
}

/** Clients take "true" and 1 for true as well, so that only a plain no is one. */
const noValues: readonly unknown[] = [undefined, null, false, 'false', 0, '']

/** A value that cannot be read is no root. */
function directoryOf(input: unknown): string | undefined {
  if (!isJsonObject(input)) return undefined
  const name = directoryFields.find((field) => Object.hasOwn(input, field))
  if (name === undefined) return undefined
  const value = own(input, name)
  if (value === null || value === '') return undefined
  return typeof value === 'string' ? value : '/'
}
