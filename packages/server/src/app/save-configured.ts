import { definitionHash, err, ok, type Problem, type Result } from '@statewright/core/internal'
import type { Settings } from '../config/schema.ts'
import { checkSource } from '../runtime/rules/definitions.ts'
import type { Runtime } from '../runtime/runtime.ts'

/**
 * Saves the definitions that the project keeps in files. A text that was saved before, even if it
 * is not the newest any more, is not saved again: else every start would undo what a person has
 * edited in the dashboard since.
 */
export async function saveConfigured(
  runtime: Runtime,
  files: Settings['definitions'],
): Promise<Result<void, Problem>> {
  for (const { file, text } of files) {
    const { definition, findings } = await checkSource(runtime, text)
    if (definition === undefined) {
      const first = findings.find((one) => one.severity === 'error')
      return err({
        code: 'definition_invalid',
        message: `A definition of the project cannot be used: ${first?.message ?? 'see findings'}`,
        where: `${file}:${first?.line ?? 1}:${first?.column ?? 1}`,
        next: `run "statewright workflow check ${file}" and fix it.`,
      })
    }
    const { kind } = definition
    const name = kind === 'workflow' ? definition.definition.id : definition.definition.name
    const hash = definitionHash(definition.definition)
    const known = await runtime.store.definitions.versions(name)
    if (known.some((row) => row.hash === hash && !row.draft)) continue
    const savedAt = runtime.clock.now()
    const by = { savedBy: 'configuration', savedAt, draft: false }
    await runtime.store.definitions.save({ name, kind, hash, text, ...by })
  }
  return ok(undefined)
}
