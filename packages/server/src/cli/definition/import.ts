import {
  checkDefinition,
  type Finding,
  isJsonObject,
  type Json,
  type Path,
  parseDefinition,
} from '@statewright/core/internal'

/** A field that we do not know, taken out of where it stood. */
export interface ForeignField {
  /** Where it stood, with dots. */
  readonly path: string
  readonly value: Json
  /** It sounds like something that would hold the agent back, and nothing does that now. */
  readonly restricts: boolean
}

export interface Imported {
  readonly definition: Json
  readonly foreign: readonly ForeignField[]
  /** What is still wrong with it. */
  readonly findings: readonly Finding[]
}

/** Words of fields that hold something back. Rather warn once too often than not. */
const restricting = new RegExp(
  [
    'allow|approv|block|budget|cap\\b|confirm|cool|deny|disallow|except|exclude|forbid',
    'guard|limit|lock|max|min|must|only|permission|policy|prohibit|protect|quota|rate',
    'read_?only|require|restrict|sandbox|scope|timeout|verify',
  ].join('|'),
  'i',
)

const maxRounds = 1000

/**
 * Reads a definition that was written for another product with the same shape. What we do not know
 * is kept under `meta.imported`, so that nothing is lost, and never taken for something that holds.
 */
export function importDefinition(source: unknown): Imported {
  // It was read from JSON or YAML, which hold nothing else.
  const definition = structuredClone(source) as Json
  const foreign: ForeignField[] = []
  for (let round = 0; round < maxRounds; round++) {
    const { findings } = parseDefinition(definition)
    const unknown = findings.find(({ code, path }) => code === 'unknown_field' && path.length > 0)
    const value = unknown === undefined ? undefined : takeOut(definition, unknown.path)
    if (unknown === undefined || value === undefined) break
    const dotted = unknown.path.join('.')
    foreign.push({ path: dotted, value, restricts: restricting.test(String(unknown.path.at(-1))) })
  }
  if (foreign.length > 0) keep(definition, foreign)
  return { definition, foreign, findings: checkDefinition(definition).findings }
}

function takeOut(definition: Json, path: Path): Json | undefined {
  let holder: Json | undefined = definition
  for (const key of path.slice(0, -1)) holder = childOf(holder, key)
  const last = path.at(-1)
  if (!isJsonObject(holder) || typeof last !== 'string') return undefined
  const value = Object.hasOwn(holder, last) ? holder[last] : undefined
  // Made by `structuredClone` above, so that nobody else sees the change.
  delete (holder as Record<string, Json>)[last]
  return value
}

function childOf(value: Json | undefined, key: string | number): Json | undefined {
  if (Array.isArray(value)) return typeof key === 'number' ? value[key] : undefined
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

function keep(definition: Json, foreign: readonly ForeignField[]): void {
  if (!isJsonObject(definition)) return
  const meta = isJsonObject(definition.meta) ? definition.meta : {}
  const imported = Object.fromEntries(foreign.map(({ path, value }) => [path, value]))
  // As above: it is our own copy.
  ;(definition as Record<string, Json>).meta = { ...meta, imported }
}
