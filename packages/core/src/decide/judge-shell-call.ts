import type { Code, ReasonFacts } from '../base/problem.ts'
import { phrase } from '../base/text/phrase.ts'
import { allowsTool } from '../call/tool-pattern.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { judgeShell } from '../shell/judge.ts'
import type { ShellRules } from '../shell/rules.ts'
import type { CallShape } from './call-shape.ts'
import { type CurrentState, toolNotAllowed } from './current-state.ts'

/** A command that nobody knows, and why; it may run contained (SH-6, SH-10). */
export interface ShellDoubt {
  readonly reasons: readonly ReasonFacts[]
  /** The state lists no shell: only files may be read by one. */
  readonly isFavour: boolean
}

/** What the state has against a shell call, from what the command would do (SH-6 … SH-10). */
export function judgeShellCall(
  current: CurrentState,
  call: ToolCall,
  shape: CallShape,
  reasons: ReasonFacts[],
): ShellDoubt | null {
  const rules = rulesFor(current, call, shape)
  if (rules === null) {
    reasons.push(toolNotAllowed(current, [call.tool]))
    return null
  }
  if (call.shell === undefined) {
    reasons.push({
      code: 'shell_unreadable',
      message: call.unreadable ?? phrase('command_unreadable'),
      path: `states.${current.state.name}`,
    })
    return null
  }
  const environment = current.keepsEnvironment ? 'kept' : 'removed'
  const judgement = judgeShell(call.shell, { ...rules, environment })
  const found = judgement.reasons.map(({ code, message, start, end }) => {
    return { code, message, path: pathOf(code, current), start, end }
  })
  judgeBackground(current, call, rules, reasons)
  if (judgement.decision === 'contain') return { reasons: found, isFavour: rules.onlyReading }
  // Reading through a shell is a favour: where it fails, the truth is that Bash is not allowed.
  if (found.length > 0 && rules.onlyReading) reasons.push(toolNotAllowed(current, [call.tool]))
  reasons.push(...found)
  return null
}

/** The rules for the shell here, or null when the state has none at all. */
function rulesFor(
  { state, strict }: CurrentState,
  call: ToolCall,
  shape: CallShape,
): ShellRules | null {
  const { tools, shell } = state
  if (tools === null) return strict ? null : shell
  if (allowsTool(tools, shape.ref)) return shell
  if (shell.patterns !== null && shell.patterns.length > 0) return shell
  if (call.readsByShell === true && state.mayRead) return { ...shell, onlyReading: true }
  return null
}

function judgeBackground(
  current: CurrentState,
  call: ToolCall,
  rules: ShellRules,
  reasons: ReasonFacts[],
): void {
  if (call.background !== true || rules.background) return
  if (!rules.readOnly && rules.allowedCommands === null && rules.patterns === null) return
  if (reasons.some((reason) => reason.code === 'shell_background')) return
  reasons.push({
    code: 'shell_background',
    message: phrase('call_in_background'),
    path: pathOf('shell_background', current),
  })
}

function pathOf(code: Code, { state }: CurrentState): string {
  const at = `states.${state.name}`
  switch (code) {
    case 'sandbox_required':
    case 'shell_write':
      return `${at}.allowed_tools`
    case 'command_not_allowed':
      return state.shell.allowedCommands === null ? `${at}.allowed_tools` : `${at}.allowed_commands`
    case 'env_blocked':
      return `${at}.blocked_env`
    case 'shell_background':
      return `${at}.background`
    default:
      return at
  }
}
