import type { ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { allowsTool } from '../call/tool-pattern.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { CallShape } from './call-shape.ts'
import { type CurrentState, toolNotAllowed } from './current-state.ts'
import { judgeEdits, limitsEdits } from './judge-edits.ts'
import { judgeShellCall, type ShellDoubt } from './judge-shell-call.ts'

/** What a state says of a call. */
export interface StateAnswer {
  readonly reasons: readonly ReasonFacts[]
  /** A command that may run only where it can do no harm. */
  readonly doubt: ShellDoubt | null
}

/** What the current state has against a call, in the order the rules are written. */
export function judgeState(current: CurrentState, call: ToolCall, shape: CallShape): StateAnswer {
  const reasons: ReasonFacts[] = []
  let doubt: ShellDoubt | null = null
  if (shape.isShell) doubt = judgeShellCall(current, call, shape, reasons)
  else judgeToolList(current, call, shape, reasons)
  judgeLimits(current, reasons)
  judgeEdits(current, call, shape, reasons)
  return { reasons, doubt }
}

function judgeToolList(
  current: CurrentState,
  call: ToolCall,
  shape: CallShape,
  reasons: ReasonFacts[],
): void {
  const { tools } = current.state
  if (tools === null && !current.strict) {
    judgeResemblance(current, call, reasons)
    return
  }
  if (tools !== null) {
    // A patch is judged by what it does; anything else by its own name, MCP servers included.
    const isPatch = shape.files.length > 0 && shape.ref.server === undefined
    if (!isPatch && allowsTool(tools, shape.ref)) return
    if (isPatch && shape.needs.every((tool) => allowsTool(tools, { tool }))) return
  }
  reasons.push(toolNotAllowed(current, namedNeeds(call, shape)))
}

/**
 * Where any tool passes but commands or edits are limited, one that nobody knows could do either
 * under another name (WF-6e). A state that lists it by name knows what it is.
 */
function judgeResemblance(current: CurrentState, call: ToolCall, reasons: ReasonFacts[]): void {
  const { tool, resembles } = call
  const { state } = current
  if (resembles === 'shell' && limitsCommands(state)) {
    const message = phrase('unknown_shell_tool', { tool, state: state.name })
    reasons.push({ code: 'shell_unreadable', message, path: `states.${state.name}` })
  }
  if (resembles !== undefined && limitsEdits(current)) {
    const message = phrase('unknown_edit_tool', { tool, state: state.name })
    reasons.push({ code: 'edit_unreadable', message, path: `states.${state.name}` })
  }
}

function limitsCommands({ shell }: CurrentState['state']): boolean {
  const { readOnly, allowedCommands, blockedEnv } = shell
  return readOnly || allowedCommands !== null || blockedEnv.length > 0
}

/** What the call needs, in the words of definitions; tools of a server go by their own name. */
function namedNeeds(call: ToolCall, shape: CallShape): readonly string[] {
  if (shape.files.length > 0 && shape.ref.server === undefined) return shape.needs
  return [call.listed ?? call.tool]
}

function judgeLimits({ state, counters }: CurrentState, reasons: ReasonFacts[]): void {
  if (counters.iterations >= state.maxIterations) {
    reasons.push({
      code: 'iterations_exhausted',
      message: phrase('iterations_exhausted', { most: state.maxIterations, state: state.name }),
      path: `states.${state.name}.max_iterations`,
    })
  }
  if (counters.bytes >= state.contextBudgetBytes) {
    const { name, contextBudgetBytes: most } = state
    reasons.push({
      code: 'context_budget_exhausted',
      message: phrase('context_budget_exhausted', { state: name, used: counters.bytes, most }),
      path: `states.${state.name}.context_budget_bytes`,
    })
  }
}
