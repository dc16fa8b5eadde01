import { readDefinitionText } from '@statewright/core/internal'
import { orRefuse, refuse } from '../command.ts'
import { readDefinitionFile } from '../definition/file.ts'

/** The policy in a file, as a value that the server checks. */
export function readPolicyFile(path: string): { readonly text: string; readonly value: unknown } {
  const file = orRefuse(readDefinitionFile(path))
  if (!('text' in file)) {
    return refuse({ code: 'definition_invalid', message: file.fault.message, where: path })
  }
  const { value, findings } = readDefinitionText(file.text, file)
  if (findings.length > 0 || value === undefined) {
    const message = findings[0]?.message ?? 'The policy cannot be read.'
    return refuse({ code: 'definition_invalid', message, where: path })
  }
  return { text: file.text, value }
}
