import {
  type Definition,
  hasErrors,
  parseDefinition,
  processGraph,
  toDot,
  toMermaid,
  workflowGraph,
} from '@statewright/core'
import { z } from 'zod'
import { checkSource, saveDefinition, wireFinding } from '../../runtime/definitions.ts'
import { readDefinition } from '../../runtime/programs.ts'
import type { DefinitionRow } from '../../store/store.ts'
import { demandProof } from '../door/proof.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import { FindingShape } from './shapes.ts'

export const Version = z.object({ version: z.coerce.number().int().min(1).optional() })
export const GraphFormat = z.object({ format: z.enum(['json', 'mermaid', 'dot']).default('json') })

export const WorkflowLine = z.looseObject({
  name: z.string(),
  kind: z.enum(['workflow', 'process']),
  version: z.number(),
  hash: z.string(),
  draft: z.boolean(),
})

export const SaveQuery = z.object({
  draft: z
    .enum(['true', 'false'])
    .default('false')
    .transform((text) => text === 'true')
    .describe('Only a draft, which is in force for nobody until somebody puts it there.'),
})
export type SaveQuery = z.infer<typeof SaveQuery>

export const workflowRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/workflows',
    who: 'agent',
    summary: 'List the workflows.',
    answers: { 200: z.object({ workflows: z.array(WorkflowLine) }) },
    handle: async ({ parts }) => {
      const rows = await parts.runtime.store.definitions.list('workflow')
      return json(200, { workflows: rows.map(line) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/workflows/validate',
    who: 'agent',
    onlyReads: true,
    summary: 'Check a definition, in JSON or YAML, without keeping it.',
    reads: 'definition',
    answers: { 200: z.object({ ok: z.boolean(), findings: z.array(FindingShape) }) },
    handle: async ({ parts, text }) => {
      const { findings } = await checkSource(parts.runtime, text)
      return json(200, { ok: !hasErrors(findings), findings: findings.map(wireFinding) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/workflows/:name',
    who: 'agent',
    summary: 'Read a workflow, the newest version or another.',
    query: Version,
    answers: { 200: WorkflowLine },
    handle: async (call) => {
      const row = await find(call, call.query.version)
      if (row === undefined) return unknown(call.params.name)
      return json(200, {
        ...line(row),
        definition: readDefinition(row).definition,
        text: row.text,
      })
    },
  }),
  route({
    method: 'PUT',
    path: '/api/workflows/:name',
    who: 'person',
    summary: 'Save a workflow, in JSON or YAML, as a new version.',
    reads: 'definition',
    query: SaveQuery,
    answers: {
      200: z.object({
        name: z.string(),
        hash: z.string(),
        version: z.number(),
        findings: z.array(FindingShape),
      }),
    },
    handle: save,
  }),
  route({
    method: 'DELETE',
    path: '/api/workflows/:name',
    who: 'person',
    summary: 'Remove a workflow; its runs keep what they are bound to.',
    proof: 'define',
    answers: { 200: z.object({ name: z.string(), removed: z.literal(true) }) },
    handle: async (call) => {
      const row = await find(call, undefined)
      if (row === undefined) return unknown(call.params.name)
      await call.parts.runtime.store.definitions.remove(row.name)
      return json(200, { name: row.name, removed: true })
    },
  }),
  route({
    method: 'GET',
    path: '/api/workflows/:name/versions',
    who: 'agent',
    summary: 'List the versions of a workflow.',
    answers: { 200: z.object({ versions: z.array(WorkflowLine) }) },
    handle: async (call) => {
      const name = call.params.name ?? ''
      const rows = await call.parts.runtime.store.definitions.versions(name)
      const versions = rows.filter((row) => row.kind === 'workflow')
      return versions.length === 0 ? unknown(name) : json(200, { versions: versions.map(facts) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/workflows/:name/graph',
    who: 'agent',
    summary: 'Draw a workflow: as nodes and edges, Mermaid or DOT.',
    query: GraphFormat,
    answers: { 200: z.looseObject({}) },
    handle: async (call) => {
      const name = call.params.name ?? ''
      const row = await call.parts.runtime.store.definitions.newest(name)
      if (row === undefined) return unknown(name)
      return graph(readDefinition(row), call.query.format)
    },
  }),
]

async function save(call: Call<undefined, SaveQuery>): Promise<Reply> {
  const name = call.params.name ?? ''
  const refused = await proofOfSaving(call)
  if (refused !== undefined) return refused
  const { runtime } = call.parts
  const taken = await otherKind(call, name, 'workflow')
  if (taken !== undefined) return taken
  const wanted = { name, overwrite: true, draft: call.query.draft }
  const saved = await saveDefinition(runtime, call.caller, call.text, wanted)
  if (!saved.ok) return problemReply(saved.error)
  const { hash, version, draft, findings } = saved.value
  return json(200, { name, hash, version, draft, findings: findings.map(wireFinding) })
}

/** Workflows and processes share their names: one may not quietly take the other's place. */
export async function otherKind(
  { parts, text }: Call<unknown, unknown>,
  name: string,
  kind: Definition['kind'],
): Promise<Reply | undefined> {
  const given = parseDefinition(text).kind
  if (given !== kind) {
    const next = `send it to /api/${given === 'process' ? 'processes' : 'workflows'}.`
    return refuse('definition_invalid', `This is a ${given}, not a ${kind}.`, { next })
  }
  const row = await parts.runtime.store.definitions.newest(name)
  if (row === undefined || row.kind === kind) return undefined
  return refuse('name_taken', `A ${row.kind} is called ${name}.`, { next: 'take another name.' })
}

/** Saying what holds is as grave as approving a step of it; a draft holds for nobody. */
export async function proofOfSaving(call: Call<unknown, SaveQuery>): Promise<Reply | undefined> {
  return call.query.draft ? undefined : demandProof(call, 'define')
}

async function find(
  { parts, params }: Call<unknown, unknown>,
  version: number | undefined,
): Promise<DefinitionRow | undefined> {
  const { definitions } = parts.runtime.store
  const name = params.name ?? ''
  const row = await (version === undefined
    ? definitions.newest(name)
    : definitions.version(name, version))
  return row?.kind === 'workflow' ? row : undefined
}

function unknown(name = ''): Reply {
  const next = 'list them with `statewright workflow list`.'
  return refuse('unknown_workflow', `No workflow is called "${name.slice(0, 100)}".`, { next })
}

function line(row: DefinitionRow) {
  const { meta } = readDefinition(row).definition
  const { description } = meta ?? {}
  return { ...facts(row), ...(typeof description === 'string' ? { description } : {}) }
}

export function facts(row: DefinitionRow) {
  return {
    name: row.name,
    kind: row.kind,
    version: row.version,
    hash: row.hash,
    draft: row.draft,
    saved_by: row.savedBy,
    saved_at: row.savedAt,
    created_at: row.createdAt,
  }
}

export function graph(definition: Definition, format: 'json' | 'mermaid' | 'dot'): Reply {
  const drawn =
    definition.kind === 'workflow'
      ? workflowGraph(definition.definition)
      : processGraph(definition.definition)
  if (format === 'json') return json(200, drawn)
  const text = format === 'dot' ? toDot(drawn) : toMermaid(drawn)
  return { status: 200, type: 'text/plain; charset=utf-8', payload: text }
}
