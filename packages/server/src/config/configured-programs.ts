import {
  ok,
  type Problem,
  type ProgramTable,
  programTable,
  type Result,
} from '@statewright/core/internal'
import {
  type Environment,
  projectConfigFile,
  projectRoot,
  userConfigFile,
} from '../home/folders.ts'
import { readConfigFile } from './read-file.ts'

/**
 * What the configuration of a folder knows of programs, for commands that judge without a server
 * (SH-5). The project's file comes before the user's, as it does for a server.
 */
export function configuredPrograms(
  folder: string,
  environment: Environment,
): Result<ProgramTable, Problem> {
  const files = [projectConfigFile(projectRoot(folder)), userConfigFile(environment)]
  for (const file of files) {
    const read = readConfigFile(file)
    if (!read.ok) return read
    if (read.value?.shell !== undefined) return ok(programTable(read.value.shell))
  }
  return ok(programTable({}))
}
