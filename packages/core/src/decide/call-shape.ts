import { type FileEdit, neededTools } from '../call/edit-facts.ts'
import { isOwnTool } from '../call/own-tools.ts'
import { capabilityOf, judgedTool, type ToolRef, toolRef } from '../call/tool-names.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { visibleWrites } from '../shell/questions.ts'

/** A call seen through our own table of names, the same for every client (WF-6). */
export interface CallShape {
  readonly ref: ToolRef
  /** One of our own tools, sent to us: never gated (WF-7). */
  readonly isOwn: boolean
  readonly isShell: boolean
  /** Starts a sub-agent of the client. */
  readonly isAgent: boolean
  readonly capability: string
  /** Tools that the call needs: a patch needs what it does, anything else itself. */
  readonly needs: readonly string[]
  /** Files that an edit tool changes. */
  readonly files: readonly string[]
  /** Files that a shell command visibly changes. */
  readonly shellFiles: readonly string[]
}

const nothing: readonly string[] = []
const nothingEdited: readonly FileEdit[] = []

export function shapeOf(call: ToolCall): CallShape {
  const named = toolRef(call.tool, call.server)
  const ref = call.listed === undefined ? named : { ...named, listed: call.listed }
  const judged = judgedTool(ref)
  const isShell = judged === 'Bash'
  const edits = call.edits ?? nothingEdited
  return {
    ref,
    isOwn: isOwnTool(ref, call.toUs === true),
    isShell,
    isAgent: judged === 'Agent',
    capability: capabilityOf(ref),
    needs: neededTools(ref, edits),
    files: edits.length > 0 ? [...new Set(edits.map((edit) => edit.path))] : nothing,
    shellFiles: isShell ? shellFilesOf(call) : nothing,
  }
}

function shellFilesOf(call: ToolCall): readonly string[] {
  if (call.shellFiles !== undefined) return call.shellFiles
  return call.shell === undefined ? nothing : visibleWrites(call.shell)
}
