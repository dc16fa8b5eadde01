import { limits } from '../base/limits.ts'
import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { CallShape } from './call-shape.ts'
import type { CurrentState } from './current-state.ts'

/** Limits on what one call changes: lines of an edit, files of a state (WF-9, WF-10). */
export function judgeEdits(
  current: CurrentState,
  call: ToolCall,
  shape: CallShape,
  reasons: ReasonFacts[],
): void {
  const { state } = current
  if (call.unreadable !== undefined && !shape.isShell && cares(current)) {
    reasons.push({
      code: 'edit_unreadable',
      message: phrase('edit_unreadable', { tool: call.tool, why: call.unreadable }),
      path: `states.${state.name}`,
    })
  }
  for (const edit of call.edits ?? []) {
    if (edit.lines <= state.maxEditLines) continue
    const { path: file, lines } = edit
    reasons.push({
      code: 'edit_too_large',
      message: phrase('edit_too_large', { file, lines, most: state.maxEditLines }),
      path: `states.${state.name}.max_edit_lines`,
    })
  }
  judgeFiles(current, shape, reasons)
}

function judgeFiles(current: CurrentState, shape: CallShape, reasons: ReasonFacts[]): void {
  const { state, counters } = current
  const fresh = newFiles(counters.files, shape)
  if (fresh.length === 0) return
  const max = Math.min(state.maxFiles, limits.filesPerState)
  if (counters.files.length + fresh.length <= max) return
  const used = counters.files.length
  reasons.push({
    code: 'too_many_files',
    message: phrase('too_many_files', { used, most: max, state: state.name, files: fresh }),
    path: `states.${state.name}.max_files_per_state`,
  })
}

/** Files of a call that were not counted in this state yet; changing one again is free. */
export function newFiles(counted: readonly string[], shape: CallShape): readonly string[] {
  if (shape.files.length === 0 && shape.shellFiles.length === 0) return shape.files
  const known = new Set(counted)
  return [...shape.files, ...shape.shellFiles].filter((file) => {
    if (known.has(file)) return false
    known.add(file)
    return true
  })
}

/** An edit that cannot be read matters only where something depends on what it changes. */
function cares(current: CurrentState): boolean {
  return current.strict || current.state.tools !== null || limitsEdits(current)
}

/** Whether it matters which files a call changes, and how much of them. */
export function limitsEdits({ machine, state }: CurrentState): boolean {
  return (
    machine.interrupts.length > 0 ||
    machine.evidence.size > 0 ||
    Number.isFinite(state.maxEditLines) ||
    Number.isFinite(state.maxFiles)
  )
}
