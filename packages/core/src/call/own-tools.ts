import type { ToolRef } from './tool-names.ts'

/** Every tool that our own server offers, spelled exactly (WF-7). */
export const ownToolNames = [
  'statewright_get_state',
  'statewright_transition',
  'statewright_load_workflow',
  'statewright_list_workflows',
  'statewright_create_workflow',
  'statewright_validate_workflow',
  'statewright_pause',
  'statewright_deactivate',
  'statewright_force_state',
  'statewright_get_status',
  'statewright_explain',
  'statewright_search_docs',
  'process_step',
  'process_state',
  'memory_set',
  'memory_get',
  'memory_list',
  'memory_search',
  'memory_delete',
  'task_create',
  'task_list',
  'task_get',
  'task_update',
  'task_claim',
  'task_complete',
] as const

const ownTools: ReadonlySet<string> = new Set(ownToolNames)

/**
 * Whether a call is one of ours, which is never gated. The name alone proves nothing: another
 * server may offer `statewright_transition`, and so may one that our gateway fronts, which the
 * server in the reference shows.
 */
export function isOwnTool(ref: ToolRef, cameFromUs: boolean): boolean {
  return cameFromUs && ref.server === undefined && ownTools.has(ref.tool)
}
