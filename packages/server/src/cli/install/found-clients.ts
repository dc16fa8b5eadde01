import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { codingClients } from '../../clients/coding-clients.ts'
import type { Environment } from '../../home/folders.ts'

export const knownClients: readonly string[] = [...codingClients.keys()]

/** Coding clients that this person seems to use. */
export function foundClients(project: string, environment: Environment): string[] {
  const home = environment.HOME ?? homedir()
  const isThere = (folder: string) =>
    existsSync(join(home, folder)) || existsSync(join(project, folder))
  return [...codingClients.values()]
    .filter(({ program, folders }) => isOnPath(program, environment) || folders.some(isThere))
    .map(({ name }) => name)
}

export function isOnPath(program: string, { PATH = '' }: Environment): boolean {
  const folders = PATH.split(delimiter).filter((folder) => folder !== '')
  return folders.some((folder) => existsSync(join(folder, program)))
}
