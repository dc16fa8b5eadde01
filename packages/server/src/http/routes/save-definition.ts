import {
  err,
  isJsonObject,
  own,
  parseDefinition,
  parseProcess,
  type Result,
} from '@statewright/core/internal'
import type { DefinitionKind, endpoints } from '@statewright/core/wire'
import {
  invalidProblem,
  type SavedDefinition,
  saveDefinition,
} from '../../runtime/rules/definitions.ts'
import { demandProof } from '../pipeline/proof.ts'
import { problemReply, type Reply, refuse } from '../pipeline/reply.ts'
import type { CallOf } from '../pipeline/route.ts'

export type SaveCall = Omit<CallOf<typeof endpoints.createProcess>, 'params'>

/** Saves what was sent as the newest version, or says what stands in the way. */
export async function saveAs(
  kind: DefinitionKind,
  name: string,
  call: SaveCall,
): Promise<Result<SavedDefinition, Reply>> {
  const { server, caller, query } = call
  // Saying what holds is as grave as approving a step of it; a draft holds for nobody.
  const refused = query.draft ? undefined : await demandProof(call, 'define')
  if (refused !== undefined) return err(refused)
  const text = kind === 'process' ? asWritten(call.text) : call.text
  const other = await otherKind(kind, name, { ...call, text })
  if (other !== undefined) return err(other)
  if (query.base !== undefined) {
    const newest = await server.runtime.store.definitions.newest(name)
    if (newest !== undefined && newest.hash !== query.base) return err(savedMeanwhile(newest))
  }
  const wanted = { name, overwrite: true, draft: query.draft }
  const saved = await saveDefinition(server.runtime, caller, text, wanted)
  return saved.ok ? saved : err(problemReply(saved.error))
}

/** What somebody else saved is not overwritten unseen (PO-1f). */
export function savedMeanwhile(newest: {
  readonly name: string
  readonly version: number
  readonly savedBy: string
}): Reply {
  const { name, version, savedBy } = newest
  const message = `${savedBy} saved version ${version} of ${name} since you opened it.`
  return refuse('saved_meanwhile', message, {
    next: 'read that version, then save again with its hash as "base".',
  })
}

/** Workflows and processes share their names: one may not quietly take the other's place. */
async function otherKind(
  kind: DefinitionKind,
  name: string,
  { server, text }: SaveCall,
): Promise<Reply | undefined> {
  if (kind === 'process') {
    // What has neither name nor questions would be told as a broken workflow.
    const { definition, findings } = parseProcess(text)
    if (definition === undefined) return problemReply(invalidProblem(findings))
  }
  const given = parseDefinition(text).kind
  if (given !== kind) {
    const next = `send it to /api/${given === 'process' ? 'processes' : 'workflows'}.`
    return refuse('definition_invalid', `This is a ${given}, not a ${kind}.`, { next })
  }
  const row = await server.runtime.store.definitions.newest(name)
  if (row === undefined || row.kind === kind) return undefined
  return refuse('name_taken', `There is already a ${row.kind} called ${name}.`, {
    next: 'choose another name.',
  })
}

/** What we add to a process when we show it. Anyone who read one may change it and send it back. */
const shownOnly = [
  'kind',
  'version',
  'hash',
  'draft',
  'saved_by',
  'saved_at',
  'created_at',
  'description',
  'text',
  'findings',
]

export function asWritten(text: string): string {
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
