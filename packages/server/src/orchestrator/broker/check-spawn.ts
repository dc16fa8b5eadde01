import { statSync } from 'node:fs'
import { isAbsolute } from 'node:path'
import { err, nearestNames, ok, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { Harness } from '../ports.ts'
import type { SpawnRequest } from './broker-options.ts'

/** The harness of a new session, where all that was asked for can work (SE-14b). */
export async function checkSpawn(
  harnesses: ReadonlyMap<string, Harness>,
  request: SpawnRequest,
): Promise<Result<Harness, RuntimeProblem>> {
  const harness = harnesses.get(request.harness)
  if (harness === undefined) {
    const known = [...harnesses.keys()]
    const near = nearestNames(request.harness, known)
    const next = `use one of: ${(near.length === 0 ? known : near).join(', ')}.`
    const message = `There is no harness "${request.harness.slice(0, 100)}".`
    return err(problem('usage', message, { where: 'harness', next }))
  }
  const folder = folderFault(request.projectPath)
  if (folder !== undefined) {
    const next = 'use a folder on the machine that the server runs on.'
    return err(problem('usage', folder, { where: 'projectPath', next }))
  }
  const fault = await harness.check?.(request)
  if (fault !== undefined) return err(problem('usage', fault, { where: 'options' }))
  return ok(harness)
}

function folderFault(path: string): string | undefined {
  const shown = path.slice(0, 200)
  if (!isAbsolute(path)) return `"${shown}" is not an absolute path.`
  const found = look(path)
  if (found === undefined) return `There is no folder ${shown} on the server.`
  return found.isDirectory() ? undefined : `${shown} is not a folder.`
}

function look(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false })
  } catch {
    return undefined
  }
}
