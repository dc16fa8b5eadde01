import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import type { Environment } from '../../config/folders.ts'

/** By what a client is known: its program, and folders that it leaves behind. */
const signs: readonly { client: string; program: string; folders: readonly string[] }[] = [
  { client: 'claude-code', program: 'claude', folders: ['.claude'] },
  { client: 'codex', program: 'codex', folders: ['.codex'] },
  { client: 'gemini', program: 'gemini', folders: ['.gemini'] },
  { client: 'opencode', program: 'opencode', folders: ['.opencode', '.config/opencode'] },
  { client: 'copilot', program: 'copilot', folders: ['.copilot'] },
  { client: 'cursor', program: 'cursor-agent', folders: ['.cursor'] },
]

export const knownClients: readonly string[] = signs.map(({ client }) => client)

/** Coding clients that this person seems to use. */
export function foundClients(project: string, environment: Environment): string[] {
  const home = environment.HOME ?? homedir()
  return signs
    .filter(
      ({ program, folders }) =>
        isOnPath(program, environment) ||
        folders.some(
          (folder) => existsSync(join(home, folder)) || existsSync(join(project, folder)),
        ),
    )
    .map(({ client }) => client)
}

/** The program of a client, where it has one. */
export function programOf(client: string): string | undefined {
  return signs.find((one) => one.client === client)?.program
}

export function isOnPath(program: string, { PATH = '' }: Environment): boolean {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => existsSync(join(folder, program)))
}
