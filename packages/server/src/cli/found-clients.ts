import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Environment } from '../config/places.ts'

/** By what a client is known: its program, and folders that it leaves behind. */
const signs: readonly { client: string; program: string; folders: readonly string[] }[] = [
  { client: 'claude-code', program: 'claude', folders: ['.claude'] },
  { client: 'codex', program: 'codex', folders: ['.codex'] },
  { client: 'gemini', program: 'gemini', folders: ['.gemini'] },
  { client: 'opencode', program: 'opencode', folders: ['.opencode', '.config/opencode'] },
  { client: 'copilot', program: 'copilot', folders: ['.copilot'] },
  { client: 'cursor', program: 'cursor-agent', folders: ['.cursor'] },
]

/** Coding clients that this person seems to use. */
export function foundClients(project: string, environment: Environment): string[] {
  const paths = (environment.PATH ?? '').split(delimiter).filter((path) => path !== '')
  const home = environment.HOME ?? homedir()
  return signs
    .filter(
      ({ program, folders }) =>
        paths.some((path) => existsSync(join(path, program))) ||
        folders.some(
          (folder) => existsSync(join(home, folder)) || existsSync(join(project, folder)),
        ),
    )
    .map(({ client }) => client)
}
