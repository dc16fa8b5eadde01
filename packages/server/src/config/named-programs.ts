import { type ProgramContext, type ProgramFile, programFiles } from '../upstream/program-files.ts'
import type { NotifyEntry } from './people-schema.ts'
import type { Settings } from './schema.ts'

/**
 * The settings with the hashes of the project's files that their programs name, so that a script
 * which an agent edits is a change of the configuration (SH-18b).
 */
export function withProgramFiles(settings: Settings, context: ProgramContext): Settings {
  const upstreams = Object.fromEntries(
    Object.entries(settings.upstreams).map(([name, entry]) => {
      if (!('command' in entry)) return [name, entry]
      const files = programFiles(entry, context)
      return [name, files.length === 0 ? entry : { ...entry, files }]
    }),
  )
  const files = notifyFiles(settings.notify, context)
  const notify = files.length === 0 ? settings.notify : { ...settings.notify, files }
  return { ...settings, upstreams, notify }
}

export function notifyFiles(
  { command }: Pick<NotifyEntry, 'command'>,
  context: ProgramContext,
): readonly ProgramFile[] {
  const [program, ...args] = command ?? []
  return program === undefined ? [] : programFiles({ command: program, args }, context)
}
