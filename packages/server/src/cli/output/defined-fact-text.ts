import type { DefinedFact } from '../../evidence/defining-files.ts'

const maxShown = 12

/** Which files make a piece of evidence a matter for a person, in one line. */
export function definedFactText({ evidence, defined_by: files }: DefinedFact): string {
  if (files.length === 0)
    return `${evidence}: no file here defines its command (is this the project's folder?)`
  const more = files.length - maxShown
  const listed = [...files.slice(0, maxShown), ...(more > 0 ? [`${more} more`] : [])].join(', ')
  return `${evidence}: a change of these needs a person: ${listed}`
}
