import { err, limits, ok, type Result } from '@statewright/core/internal'
import { problem, type RuntimeProblem } from '../base/problem.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { MemoryRow } from '../store/notebook-store.ts'

export interface MemoryInput {
  readonly key: string
  readonly value: string
  readonly tags: readonly string[]
}

/** Keeps a text of a project under its key; what was there before is replaced (PR-8). */
export async function setMemory(
  runtime: Runtime,
  project: string,
  input: MemoryInput,
): Promise<Result<MemoryRow, RuntimeProblem>> {
  const fault = tooLong('value', input.value)
  if (fault !== undefined) return err(fault)
  const row = { ...input, project, updatedAt: runtime.clock.now() }
  await runtime.store.notebook.setMemory(row)
  return ok(row)
}

export async function getMemory(
  runtime: Runtime,
  project: string,
  key: string,
): Promise<Result<MemoryRow, RuntimeProblem>> {
  const row = await runtime.store.notebook.memory(project, key)
  return row === undefined ? err(unknownMemory(key)) : ok(row)
}

/** Removes it and gives back what it was. */
export async function deleteMemory(
  runtime: Runtime,
  project: string,
  key: string,
): Promise<Result<MemoryRow, RuntimeProblem>> {
  const found = await getMemory(runtime, project, key)
  if (!found.ok) return found
  const isGone = await runtime.store.notebook.deleteMemory(project, key)
  return isGone ? found : err(unknownMemory(key))
}

/** A text that is kept is bounded in bytes, as it is stored. */
export function tooLong(field: string, text: string): RuntimeProblem | undefined {
  if (Buffer.byteLength(text) <= limits.memoryBytes) return undefined
  const message = `The ${field} has more than ${limits.memoryBytes} bytes.`
  return problem('usage', message, { where: field, next: 'store less, or split it.' })
}

function unknownMemory(key: string): RuntimeProblem {
  const next = 'list what there is with memory_list.'
  return problem('not_found', `Nothing is stored under "${key.slice(0, 100)}".`, { next })
}
