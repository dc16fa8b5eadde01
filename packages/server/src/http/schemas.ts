import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const folder = join(dirname(fileURLToPath(import.meta.url)), '..', '..', '..', '..', 'schema')
const names = ['workflow-schema.json', 'process-schema.json']

/** The published JSON Schemas, by the path that a definition's `$schema` names (WF-1). */
export function readSchemas(): ReadonlyMap<string, object> {
  return new Map(
    names.map((name) => [`/${name}`, JSON.parse(readFileSync(join(folder, name), 'utf8'))]),
  )
}
