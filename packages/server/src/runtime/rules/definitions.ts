import {
  checkDefinition,
  type Definition,
  definitionHash,
  definitionIn,
  err,
  type Finding,
  type InvokedDefinition,
  ok,
  parseDefinition,
  type Result,
} from '@statewright/core/internal'
import type { Caller } from '../../base/caller.ts'
import { problem, type RuntimeProblem } from '../../base/problem.ts'
import type { DefinitionRow } from '../../store/store.ts'
import { invokedNames, readDefinition } from '../programs.ts'
import type { Runtime } from '../runtime.ts'

export interface SavedDefinition extends DefinitionRow {
  readonly findings: readonly Finding[]
}

export interface Checked {
  readonly definition: Definition | undefined
  readonly findings: readonly Finding[]
}

/** Parses and checks a definition; invoked ones are looked up among those saved. */
export async function checkSource(runtime: Runtime, source: unknown): Promise<Checked> {
  const known = await invokedBy(runtime, source)
  const checked = checkDefinition(source, {
    known: (name: string) => known.get(name),
    tools: runtime.servers.tools(),
  })
  return { definition: definitionIn(checked), findings: checked.findings }
}

async function invokedBy(
  runtime: Runtime,
  source: unknown,
): Promise<ReadonlyMap<string, InvokedDefinition>> {
  const known = new Map<string, InvokedDefinition>()
  const parsed = parseDefinition(source)
  if (parsed.kind !== 'workflow' || parsed.definition === undefined) return known
  for (const name of invokedNames({ kind: 'workflow', definition: parsed.definition })) {
    const row = await runtime.store.definitions.newest(name)
    if (row === undefined) continue
    const invoked = readDefinition(row)
    known.set(name, invoked.kind === 'workflow' ? { output: invoked.definition.output } : {})
  }
  return known
}

/** Saves a definition as a new version. What an agent saves is a draft until accepted. */
export async function saveDefinition(
  runtime: Runtime,
  caller: Caller,
  source: unknown,
  wanted: { readonly name?: string; readonly overwrite?: boolean; readonly draft?: boolean },
): Promise<Result<SavedDefinition, RuntimeProblem>> {
  const { definition, findings } = await checkSource(runtime, source)
  if (definition === undefined) return err(invalidProblem(findings))
  const name = nameOf(definition)
  if (wanted.name !== undefined && wanted.name !== name) {
    const message = `The definition is named "${name}", but would be saved as "${wanted.name}".`
    return err(problem('definition_invalid', message, { next: `save it under ${name}.` }))
  }
  const newest = await runtime.store.definitions.newest(name)
  const draft = caller.kind !== 'person' || wanted.draft === true
  if (newest !== undefined && draft) {
    // A draft may be improved; what people rely on it may not even shadow.
    if (!newest.draft || wanted.overwrite !== true) {
      const message = `A definition called ${name} exists already.`
      return err(problem('locked', message, { next: 'give it another id, or ask a person.' }))
    }
  }
  const row = await runtime.store.definitions.save({
    name,
    kind: definition.kind,
    hash: definitionHash(definition.definition),
    text: textOf(source),
    savedBy: caller.name,
    savedAt: runtime.clock.now(),
    draft,
  })
  return ok({ ...row, findings })
}

export function invalidProblem(findings: readonly Finding[]): RuntimeProblem {
  const errors = findings.filter((one) => one.severity === 'error')
  const first = errors[0]?.message ?? 'see the findings'
  return problem('definition_invalid', `The definition cannot be used: ${first}`, {
    next: 'fix what the findings name and send it again.',
    details: { findings: findings.map(wireFinding) },
  })
}

export function wireFinding(finding: Finding) {
  const { code, severity, path, message, line, column } = finding
  return {
    code,
    severity,
    path: [...path],
    message,
    ...(line === undefined ? {} : { line }),
    ...(column === undefined ? {} : { column }),
  }
}

/** The definition to run under a name: agents get drafts of their own, people only what counts. */
export async function findDefinition(
  runtime: Pick<Runtime, 'store'>,
  name: string,
  kind?: 'workflow' | 'process',
): Promise<DefinitionRow | undefined> {
  const row = await runtime.store.definitions.newest(name)
  return row === undefined || (kind !== undefined && row.kind !== kind) ? undefined : row
}

export function nameOf(definition: Definition): string {
  return definition.kind === 'workflow' ? definition.definition.id : definition.definition.name
}

function textOf(source: unknown): string {
  return typeof source === 'string' ? source : JSON.stringify(source)
}

/** Tools of servers behind us that a definition names and that they do not offer now (WF-6d). */
export function missingTools({ servers }: Runtime, { text }: DefinitionRow): string[] {
  const tools = servers.tools()
  if (tools.length === 0) return []
  const { findings } = checkDefinition(text, { tools })
  return findings.flatMap(({ code, message }) => (code === 'unknown_tool' ? [message] : []))
}
