import { definitionHash, parseDefinition } from '@statewright/core/internal'
import type { Store } from '../store/store.ts'
import type { DefinitionFile } from './definition-files.ts'

/**
 * Names of definitions that these files would put another version over, whoever saved the one that
 * is in force. A text that was saved before is not saved again, and so replaces nothing.
 */
export async function replacedDefinitions(
  store: Pick<Store, 'definitions'>,
  files: readonly DefinitionFile[],
): Promise<string[]> {
  const names: string[] = []
  for (const { text } of files) {
    const parsed = parseDefinition(text)
    // What cannot be read is not saved: the server says so and does not start.
    if (parsed.definition === undefined) continue
    const name = parsed.kind === 'workflow' ? parsed.definition.id : parsed.definition.name
    const hash = definitionHash(parsed.definition)
    const inForce = (await store.definitions.versions(name)).filter(({ draft }) => !draft)
    if (inForce.length > 0 && inForce.every((row) => row.hash !== hash)) names.push(name)
  }
  return names
}
