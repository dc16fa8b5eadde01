import { hash } from 'node:crypto'
import { isJsonObject, own, parseProcess } from '@statewright/core'
import { z } from 'zod'
import { invalidProblem, saveDefinition, wireFinding } from '../../runtime/definitions.ts'
import { readDefinition } from '../../runtime/programs.ts'
import type { DefinitionRow } from '../../store/store.ts'
import { json, problemReply, type Reply, refuse } from '../door/reply.ts'
import { type Call, type Route, route } from '../door/route.ts'
import {
  facts,
  GraphFormat,
  graph,
  otherKind,
  proofOfSaving,
  SaveQuery,
  Version,
  WorkflowLine,
} from './workflows.ts'

const ProcessShape = z.looseObject({
  id: z.string(),
  name: z.string(),
  createdAt: z.string(),
  updatedAt: z.string(),
})

/** Processes by name (PR-11). */
export const processRoutes: readonly Route[] = [
  route({
    method: 'GET',
    path: '/api/processes',
    who: 'agent',
    summary: 'List the processes.',
    answers: { 200: z.object({ processes: z.array(ProcessShape) }) },
    handle: async ({ parts }) => {
      const rows = await parts.runtime.store.definitions.list('process')
      return json(200, { processes: rows.map((row) => ({ ...wireProcess(row), ...facts(row) })) })
    },
  }),
  route({
    method: 'POST',
    path: '/api/processes',
    who: 'person',
    summary: 'Save a new process, in JSON or YAML.',
    reads: 'definition',
    query: SaveQuery,
    answers: { 201: ProcessShape },
    handle: create,
  }),
  route({
    method: 'GET',
    path: '/api/processes/:name',
    who: 'agent',
    summary: 'Read a process, the newest version or another.',
    query: Version,
    answers: { 200: ProcessShape },
    handle: async (call) => {
      const row = await find(call, call.query.version)
      if (row === undefined) return unknown(call)
      return json(200, { ...wireProcess(row), text: row.text })
    },
  }),
  route({
    method: 'GET',
    path: '/api/processes/:name/versions',
    who: 'agent',
    summary: 'List the versions of a process.',
    answers: { 200: z.object({ versions: z.array(WorkflowLine) }) },
    handle: async (call) => {
      const rows = await call.parts.runtime.store.definitions.versions(call.params.name ?? '')
      const versions = rows.filter((row) => row.kind === 'process')
      return versions.length === 0 ? unknown(call) : json(200, { versions: versions.map(facts) })
    },
  }),
  route({
    method: 'GET',
    path: '/api/processes/:name/graph',
    who: 'agent',
    summary: 'Draw a process: as nodes and edges, Mermaid or DOT.',
    query: GraphFormat,
    answers: { 200: z.looseObject({}) },
    handle: async (call) => {
      const row = await find(call)
      return row === undefined ? unknown(call) : graph(readDefinition(row), call.query.format)
    },
  }),
  route({
    method: 'PUT',
    path: '/api/processes/:name',
    who: 'person',
    summary: 'Change a process; live runs keep their version.',
    reads: 'definition',
    query: SaveQuery,
    answers: { 200: ProcessShape },
    handle: async (call) => save(call, call.params.name, 200),
  }),
  route({
    method: 'DELETE',
    path: '/api/processes/:name',
    who: 'person',
    summary: 'Remove a process; its runs keep what they are bound to.',
    proof: 'define',
    answers: { 200: ProcessShape },
    handle: async (call) => {
      const row = await find(call)
      if (row === undefined) return unknown(call)
      await call.parts.runtime.store.definitions.remove(row.name)
      return json(200, wireProcess(row))
    },
  }),
]

async function create(given: Call<undefined, SaveQuery>): Promise<Reply> {
  const call = { ...given, text: asWritten(given.text) }
  const { definition, findings } = parseProcess(call.text)
  if (definition === undefined) return problemReply(invalidProblem(findings))
  const { name } = definition
  if ((await call.parts.runtime.store.definitions.newest(name)) !== undefined) {
    const next = `change it with PUT /api/processes/${name}.`
    return refuse('name_taken', `A definition called ${name} exists already.`, { next })
  }
  return save(call, name, 201)
}

async function save(
  given: Call<undefined, SaveQuery>,
  name: string | undefined,
  status: number,
): Promise<Reply> {
  const call = { ...given, text: asWritten(given.text) }
  const { runtime } = call.parts
  const refused = await proofOfSaving(call)
  if (refused !== undefined) return refused
  const { definition, findings } = parseProcess(call.text)
  if (definition === undefined) return problemReply(invalidProblem(findings))
  const taken = await otherKind(call, definition.name, 'process')
  if (taken !== undefined) return taken
  const { draft } = call.query
  const wanted = { ...(name === undefined ? {} : { name }), overwrite: true, draft }
  const saved = await saveDefinition(runtime, call.caller, call.text, wanted)
  if (!saved.ok) return problemReply(saved.error)
  const row = await runtime.store.definitions.newest(saved.value.name)
  if (row === undefined) return unknown(call)
  return json(status, { ...wireProcess(row), findings: saved.value.findings.map(wireFinding) })
}

/** What we add to a process when we show it. Whoever read one may change it and send it back. */
const shownOnly = ['version', 'hash', 'text', 'findings']

function asWritten(text: string): string {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return text
  }
  if (!isJsonObject(value) || !String(own(value, 'id')).startsWith('proc_')) return text
  return JSON.stringify(
    Object.fromEntries(Object.entries(value).filter(([key]) => !shownOnly.includes(key))),
  )
}

async function find(
  { parts, params }: Call<unknown, unknown>,
  version?: number,
): Promise<DefinitionRow | undefined> {
  const { definitions } = parts.runtime.store
  const name = params.name ?? ''
  const row = await (version === undefined
    ? definitions.newest(name)
    : definitions.version(name, version))
  return row?.kind === 'process' ? row : undefined
}

function unknown({ params }: Call<unknown, unknown>): Reply {
  const name = (params.name ?? '').slice(0, 100)
  const next = 'list them with `statewright process list`.'
  return refuse('unknown_workflow', `No process is called "${name}".`, { next })
}

/** The process as it was written, with what the system assigned (PR-1). */
function wireProcess(row: DefinitionRow) {
  return {
    ...readDefinition(row).definition,
    id: processId(row),
    version: row.version,
    hash: row.hash,
    createdAt: new Date(row.createdAt).toISOString(),
    updatedAt: new Date(row.savedAt).toISOString(),
  }
}

/** Follows from name and birth, so that it needs no place of its own and never changes. */
function processId({ name, createdAt }: DefinitionRow): string {
  const hex = hash('sha256', `process\n${name}\n${createdAt}`)
  // Version 8 and the variant of RFC 9562: strict readers refuse what is no UUID.
  const variant = '89ab'[Number.parseInt(hex.slice(16, 17), 16) % 4]
  const [third, fourth] = [`8${hex.slice(13, 16)}`, `${variant}${hex.slice(17, 20)}`]
  const parts = [hex.slice(0, 8), hex.slice(8, 12), third, fourth]
  return `proc_${parts.join('-')}-${hex.slice(20, 32)}`
}
