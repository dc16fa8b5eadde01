import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseDefinition } from '@statewright/core/internal'

/** A definition to begin with, and the stories that show what it holds. */
export interface Template {
  readonly name: string
  readonly kind: 'workflow' | 'process'
  readonly description: string
  readonly text: string
  readonly scenarios: string
}

const folder = fileURLToPath(new URL('../../templates/', import.meta.url))
const scenarioEnd = '.scenarios.yaml'

let known: readonly Template[] | undefined

/** Those that come with the package, in the order of their names. */
export function templates(): readonly Template[] {
  known ??= readdirSync(folder)
    .filter((file) => file.endsWith('.yaml') && !file.endsWith(scenarioEnd))
    .sort()
    .map((file) => readTemplate(file.slice(0, -'.yaml'.length)))
  return known
}

export function findTemplate(name: string): Template | undefined {
  return templates().find((template) => template.name === name)
}

function readTemplate(name: string): Template {
  const text = readFileSync(`${folder}${name}.yaml`, 'utf8')
  const scenarios = readFileSync(`${folder}${name}${scenarioEnd}`, 'utf8')
  const { kind, definition } = parseDefinition(text)
  const description = definition?.meta?.description
  if (typeof description !== 'string') throw new Error(`bug: the template ${name} is unreadable`)
  return { name, kind, description, text, scenarios }
}
