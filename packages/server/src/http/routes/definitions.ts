import { toDot, toMermaid } from '@statewright/core/internal'
import { type DefinitionKind, endpoints } from '@statewright/core/wire'
import { readDefinition } from '../../runtime/programs.ts'
import { type SavedDefinition, wireFinding } from '../../runtime/rules/definitions.ts'
import type { DefinitionRow } from '../../store/store.ts'
import { type Reply, refuse } from '../pipeline/reply.ts'
import { type Route, type ServerDependencies, serve } from '../pipeline/route.ts'
import { saveAs } from './save-definition.ts'
import {
  graphOf,
  wireGraph,
  wireLine,
  wireProcess,
  wireVersion,
  wireWorkflow,
} from './wire-definition.ts'

/** The routes that workflows and processes have alike; each kind is shown in its own way. */
export function definitionRoutes(kind: DefinitionKind): readonly Route[] {
  const rows = rowsOf[kind]
  const shown = shownAs[kind]

  const find = async ({ runtime }: ServerDependencies, name: string, version?: number) => {
    const { definitions } = runtime.store
    const row = await (version === undefined
      ? definitions.newest(name)
      : definitions.version(name, version))
    return row?.kind === kind ? row : undefined
  }
  const unknown = ({ name }: { readonly name: string }): Reply => {
    const next = `list them with \`statewright ${kind} list\`.`
    return refuse('unknown_workflow', `No ${kind} is called "${name.slice(0, 100)}".`, { next })
  }

  return [
    serve(rows.list, async ({ server }, reply) =>
      reply(200, shown.list(await server.runtime.store.definitions.list(kind))),
    ),
    serve(rows.get, async ({ server, params, query }, reply) => {
      const row = await find(server, params.name, query.version)
      return row === undefined ? unknown(params) : reply(200, shown.whole(row))
    }),
    serve(rows.save, async (call, reply) => {
      const saved = await saveAs(kind, call.params.name, call)
      return saved.ok ? reply(200, shown.saved(saved.value)) : saved.error
    }),
    serve(rows.remove, async ({ server, params }, reply) => {
      const row = await find(server, params.name)
      if (row === undefined) return unknown(params)
      await server.runtime.store.definitions.remove(row.name)
      return reply(200, shown.removed(row))
    }),
    serve(rows.versions, async ({ server, params }, reply) => {
      const found = await server.runtime.store.definitions.versions(params.name)
      const versions = found.filter((row) => row.kind === kind).map(wireVersion)
      return versions.length === 0 ? unknown(params) : reply(200, { versions })
    }),
    serve(rows.graph, async ({ server, params, query }, reply) => {
      const row = await find(server, params.name)
      if (row === undefined) return unknown(params)
      const graph = graphOf(readDefinition(row))
      if (query.format === 'json') return reply(200, wireGraph(graph))
      const payload = query.format === 'dot' ? toDot(graph) : toMermaid(graph)
      return { status: 200, type: 'text/plain; charset=utf-8', payload }
    }),
  ]
}

const rowsOf = {
  workflow: {
    list: endpoints.listWorkflows,
    get: endpoints.getWorkflow,
    save: endpoints.saveWorkflow,
    remove: endpoints.removeWorkflow,
    versions: endpoints.listWorkflowVersions,
    graph: endpoints.drawWorkflow,
  },
  process: {
    list: endpoints.listProcesses,
    get: endpoints.getProcess,
    save: endpoints.saveProcess,
    remove: endpoints.removeProcess,
    versions: endpoints.listProcessVersions,
    graph: endpoints.drawProcess,
  },
}

type Rows = readonly DefinitionRow[]

const shownAs = {
  workflow: {
    list: (rows: Rows) => ({ workflows: rows.map((row) => wireLine(row)) }),
    whole: wireWorkflow,
    saved: ({ findings, ...row }: SavedDefinition) => ({
      ...wireLine(row),
      findings: findings.map(wireFinding),
    }),
    removed: ({ name }: DefinitionRow) => ({ name, removed: true as const }),
  },
  process: {
    list: (rows: Rows) => ({ processes: rows.map(wireProcess) }),
    whole: (row: DefinitionRow) => ({ ...wireProcess(row), text: row.text }),
    saved: savedProcess,
    removed: wireProcess,
  },
}

export function savedProcess({ findings, ...row }: SavedDefinition) {
  return { ...wireProcess(row), findings: findings.map(wireFinding) }
}
