import { createWorkflow, validateWorkflow } from './author.ts'
import { deactivate, forceState, pause, sendTransition } from './change.ts'
import { explain } from './explain.ts'
import { loadWorkflow } from './load.ts'
import { getState, getStatus, listWorkflows } from './look.ts'
import { processState, processStep } from './process.ts'
import { searchDocs } from './search-docs.ts'
import type { OwnTool } from './tool.ts'

/** Every tool of ours at `/mcp`, in the order in which it is listed. */
export const ownTools: readonly OwnTool[] = [
  getState,
  sendTransition,
  loadWorkflow,
  listWorkflows,
  createWorkflow,
  validateWorkflow,
  pause,
  deactivate,
  forceState,
  getStatus,
  explain,
  searchDocs,
  processStep,
  processState,
]

export const toolByName: ReadonlyMap<string, OwnTool> = new Map(
  ownTools.map((tool) => [tool.name, tool]),
)
