import { type FileEdit, neededTools } from '../call/edit-facts.ts'
import { isOwnTool } from '../call/own-tools.ts'
import {
  type CanonicalTool,
  capabilityOf,
  judgedTool,
  lowerAscii,
  type ToolRef,
  toolRef,
} from '../call/tool-names.ts'
import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import type { CallCapabilities } from '../policy/evaluate-policy.ts'
import type { ToolCall } from '../run/tool-call.ts'
import type { ShellFindings } from '../shell/findings.ts'
import { visibleWrites } from '../shell/questions.ts'
import type { CommandPattern } from '../shell/rules.ts'

/** A call seen through our own table of names, the same for every client (WF-6). */
export interface CallShape {
  readonly ref: ToolRef
  /** One of our own tools, sent to us: never gated (WF-7). */
  readonly isOwn: boolean
  readonly isShell: boolean
  /** Starts a sub-agent of the client. */
  readonly isAgent: boolean
  readonly capability: string
  /** What policies are asked about: what an edit does, not what its tool is called (PO-3b). */
  readonly asked: CallCapabilities
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
  const capability = capabilityOf(ref)
  const needs = neededTools(ref, edits)
  return {
    ref,
    isOwn: isOwnTool(ref, call.toUs === true),
    isShell,
    isAgent: judged === 'Agent',
    capability,
    asked: capabilitiesOfCall(call, { capability, judged, edits, needs }),
    needs,
    files: edits.length > 0 ? [...new Set(edits.map((edit) => edit.path))] : nothing,
    shellFiles: isShell ? shellFilesOf(call) : nothing,
  }
}

/**
 * Whether no cost can come of a call: whoever of ours sees its end hears one from servers alone. A
 * client's own tools are never held up for money that they cannot take.
 */
export function isFreeCall(ref: ToolRef, results: 'observed' | undefined): boolean {
  return results === 'observed' && ref.server === undefined
}

function capabilitiesOfCall(
  call: ToolCall,
  { capability, judged, edits, needs }: ShapeFacts,
): CallCapabilities {
  if (isEdit(judged)) return capabilitiesOfEdit(call, edits, judged, needs)
  // Mail leaves by one of several tools; a rule that stops one of them means the mail.
  if (call.mail !== undefined) {
    return { needed: [capability], touched: mailTools.filter((one) => one !== capability) }
  }
  return judged === undefined ? capabilitiesOfServer(call, capability, edits) : asItself(capability)
}

/**
 * A tool of a server keeps its own name, and what it does to files is asked about besides: a rule
 * against `write` that leaves out `mcp:files:write_file` would protect nothing (PO-3c).
 */
function capabilitiesOfServer(
  call: ToolCall,
  capability: string,
  edits: readonly FileEdit[],
): CallCapabilities {
  const isUnread = call.unreadable !== undefined
  const changes = isUnread || edits.some(({ op }) => op !== 'create')
  const writes = isUnread || edits.some(({ op }) => op !== 'edit')
  const touched = [...(changes ? ['edit'] : []), ...(writes ? ['write'] : [])]
  return touched.length === 0 ? asItself(capability) : { needed: [capability], touched }
}

interface ShapeFacts {
  readonly capability: string
  readonly judged: CanonicalTool | undefined
  readonly edits: readonly FileEdit[]
  readonly needs: readonly string[]
}

const mailTools = ['resend-email', 'mcp:resend:send-email']

function isEdit(judged: CanonicalTool | undefined): judged is 'Edit' | 'Write' | 'NotebookEdit' {
  return judged === 'Edit' || judged === 'Write' || judged === 'NotebookEdit'
}

function asItself(capability: string): CallCapabilities {
  return { needed: [capability], touched: nothing }
}

/** An edit that cannot be read may do all that its tool can. */
function capabilitiesOfEdit(
  call: ToolCall,
  edits: readonly FileEdit[],
  judged: 'Edit' | 'Write' | 'NotebookEdit',
  needs: readonly string[],
): CallCapabilities {
  const isUnread = call.unreadable !== undefined
  if (edits.length === 0 && !isUnread) return asItself(lowerAscii(judged))
  const needed = isUnread && judged === 'Edit' ? ['edit', 'write'] : needs.map(lowerAscii)
  // Anyone who denies edits, or asks about them, means files that are there, whichever tool it is.
  const changes = isUnread || edits.some(({ op }) => op !== 'create')
  return { needed, touched: changes && !needed.includes('edit') ? ['edit'] : nothing }
}

function shellFilesOf(call: ToolCall): readonly string[] {
  if (call.shellFiles !== undefined) return call.shellFiles
  return call.shell === undefined ? nothing : visibleWrites(call.shell)
}

/**
 * Whether a call is, or may be, one of those that a list of tools means. For whatever closes
 * something: a condition on calls, a mark, `forget_on`, an interrupt.
 */
export function touches(list: ToolList, call: ToolCall, shape: CallShape): boolean {
  if (allowsTool(list, shape.ref)) return true
  // `BASH` is on no list, and does what `Bash` does.
  const judged = judgedTool(shape.ref)
  if (judged !== undefined && allowsTool(list, { tool: judged })) return true
  if (shape.isShell) return list.commandPatterns.some((pattern) => mayRun(call.shell, pattern))
  if (shape.ref.server !== undefined) return false
  // A patch goes by what it does; one that cannot be read may do all that its tool can.
  const needs = call.unreadable === undefined ? shape.needs : ['Edit', 'Write']
  const isEdit = shape.files.length > 0 || call.unreadable !== undefined
  return isEdit && needs.some((tool) => allowsTool(list, { tool }))
}

/** Whether a call is exactly one of those that a list means. For whatever its result proves. */
export function teaches(list: ToolList, call: ToolCall, shape: CallShape): boolean {
  if (allowsTool(list, shape.ref)) return true
  if (!shape.isShell || call.background === true || call.elsewhere === true) return false
  const whole = call.shell?.whole ?? null
  if (whole === null) return false
  return list.commandPatterns.some((pattern) => beginsWith(whole, pattern))
}

function mayRun(findings: ShellFindings | undefined, pattern: CommandPattern): boolean {
  if (findings === undefined || findings.unknowns.length > 0) return true
  return findings.commands.some(({ words }) => beginsWith(words, pattern))
}

/** A word that the text does not tell may be any word. */
function beginsWith(
  words: readonly (string | null)[],
  { words: wanted, exact }: CommandPattern,
): boolean {
  if (exact ? words.length !== wanted.length : words.length < wanted.length) return false
  return wanted.every((word, index) => words[index] === null || words[index] === word)
}
