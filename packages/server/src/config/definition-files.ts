import { statSync } from 'node:fs'
import { relative, resolve } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { readRegularText } from '../base/read-regular.ts'
import { realOf } from '../home/folders.ts'

/** A definition that the project keeps in a file, as it was read. */
export interface DefinitionFile {
  /** Against the project folder. */
  readonly file: string
  readonly text: string
}

const maxBytes = 2 * 1024 * 1024

/**
 * Reads the files named under `definitions`. Their texts are part of the settings, so that a file
 * which an agent edits is pinned like everything else while guarded runs are live.
 */
export function readDefinitionFiles(
  project: string,
  files: readonly string[],
): Result<readonly DefinitionFile[], Problem> {
  const read: DefinitionFile[] = []
  for (const file of files) {
    const path = resolve(project, file)
    try {
      if (statSync(path).size > maxBytes) return err(problem(path, 'is larger than 2 MB'))
      if (!statSync(path).isFile()) return err(problem(path, 'is not a file'))
      read.push({ file: relative(project, path), text: readRegularText(path, maxBytes) })
    } catch (fault) {
      const why = fault instanceof Error ? fault.message : String(fault)
      return err(problem(path, `cannot be read (${why})`))
    }
  }
  return ok(read)
}

/** Where they lie, links followed: no guarded call may touch them. */
export function definitionPaths(project: string, files: readonly DefinitionFile[]): string[] {
  return files.map(({ file }) => realOf(resolve(project, file)))
}

function problem(path: string, what: string): Problem {
  return {
    code: 'config_invalid',
    message: `A file named under "definitions" ${what}.`,
    where: path,
    next: 'fix the path in statewright.yaml, or remove it.',
  }
}
