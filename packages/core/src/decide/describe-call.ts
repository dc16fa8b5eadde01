import { isJsonObject } from '../base/json.ts'
import { stableText } from '../base/stable-text.ts'
import { phrase } from '../base/text/phrase.ts'
import { describeEdits } from '../call/edit-facts.ts'
import { workspacePath } from '../call/paths.ts'
import { serverWrites } from '../call/server-writes.ts'
import { judgedTool, resembles, type ToolRef, toolRef } from '../call/tool-names.ts'
import { openSealing, type Sealing } from '../condition/bounds.ts'
import { hashText } from '../definition/hash.ts'
import type { Program } from '../machine/machine.ts'
import { mailFacts } from '../process/mail.ts'
import { readsOf } from '../run/shell-reads.ts'
import type { ToolCall } from '../run/tool-call.ts'
import { analyzeArgv, analyzeShell, type ShellOptions } from '../shell/analyze.ts'
import type { ShellFindings } from '../shell/findings.ts'
import { visibleWrites } from '../shell/questions.ts'
import { type CallNeeds, callNeeds, projectedArguments, sealsOf } from './call-needs.ts'
import { filesRead } from './files-read.ts'
import { isInBackground, isOtherShell, shellInput } from './shell-input.ts'

/** A call as a client sends it, before it is turned into storable facts. */
export interface RawCall {
  readonly id: string
  readonly tool: string
  readonly server?: string
  readonly input: unknown
  readonly toUs?: boolean
  readonly readsByShell?: boolean
  /** Of a tool behind our gateway: the name under which we list it. */
  readonly listed?: string
  /** Of a tool of a server: arguments that are known to be paths which it writes. */
  readonly writes?: readonly string[]
  /** What conditions want to know of it. */
  readonly needs?: CallNeeds
}

/** What only the caller can know of the workspace (WF-9). */
export interface WorkspaceFacts {
  readonly root: string
  /** Where the client's shell stands; the root when it is not told. */
  readonly cwd?: string
  /** The path with all links followed; where it cannot be had, the path as given. */
  readonly realPath?: (path: string) => string
  /** Whether a folder lies at a path; where it is not told, one may. */
  readonly isFolder?: (path: string) => boolean
  /** The text of a file before the call, by the path as the call spells it. */
  readonly oldText?: (path: string) => string | undefined
  readonly shell?: ShellOptions
  /** How secrets in what conditions read are made unreadable; as they are without it. */
  readonly sealing?: Sealing
  /** A faster hash of the same kind (SHA-256, hexadecimal) than the one in pure JavaScript. */
  readonly hashText?: (text: string) => string
}

/** The tool by every name under which a rule may mean it. */
export function namedRef({ tool, server, listed }: Omit<RawCall, 'id' | 'input'>): ToolRef {
  const ref = toolRef(tool, server)
  return listed === undefined ? ref : { ...ref, listed }
}

/** The same with what the conditions of a program want to know of it. */
export function describeFor(
  program: Program,
  raw: Omit<RawCall, 'needs'>,
  workspace: WorkspaceFacts,
): ToolCall {
  const needs = callNeeds(program, [], namedRef(raw))
  return describeCall({ ...raw, needs }, workspace)
}

/** Turns a raw call into what the reducer may see and a store may keep (WF-34). */
export function describeCall(raw: RawCall, workspace: WorkspaceFacts): ToolCall {
  const ref = toolRef(raw.tool, raw.server)
  const toWorkspace = (path: string) => {
    // Some clients leave out blanks around a path before they use it; no rule means them.
    const trimmed = path.trim() || path
    return workspacePath(workspace.realPath?.(trimmed) ?? trimmed, workspace.root)
  }
  const facts = {
    id: raw.id,
    tool: raw.tool,
    ...(raw.server === undefined ? {} : { server: raw.server }),
    ...(raw.toUs === true ? { toUs: true } : {}),
    ...(raw.readsByShell === true ? { readsByShell: true } : {}),
    ...(raw.listed === undefined ? {} : { listed: raw.listed }),
    argsHash: (workspace.hashText ?? hashText)(stableText(raw.input)),
    ...conditionFacts(raw, workspace, toWorkspace),
  }
  if (judgedTool(ref) === 'Bash') return { ...facts, ...shellFacts(raw, workspace, toWorkspace) }
  const mail = mailFacts(ref, raw.input)
  if (mail !== undefined) return { ...facts, mail }
  const oldText = workspace.oldText ?? unknownText
  const { edits, unreadable } =
    ref.server === undefined
      ? describeEdits(ref, raw.input, oldText)
      : serverWrites(ref.tool, raw.input, raw.writes, oldText)
  const like = raw.toUs === true ? undefined : resembles(ref, raw.input)
  return {
    ...facts,
    ...(like === undefined ? {} : { resembles: like }),
    ...(edits.length === 0
      ? {}
      : { edits: edits.map((one) => ({ ...one, path: toWorkspace(one.path) })) }),
    ...(unreadable === undefined ? {} : { unreadable }),
  }
}

/** What conditions read of the call, and nothing else of it. */
function conditionFacts(
  { tool, server, input, needs }: RawCall,
  { sealing = openSealing }: WorkspaceFacts,
  toWorkspace: (path: string) => string,
): Pick<ToolCall, 'args' | 'seals' | 'reads'> {
  if (needs === undefined) return {}
  const args = projectedArguments(input, needs, sealing)
  const reads = needs.files ? filesRead(toolRef(tool, server), input) : undefined
  return {
    ...(args === undefined ? {} : { args }),
    ...(needs.seals && isJsonObject(args) ? { seals: sealsOf(args, sealing) } : {}),
    ...(reads === undefined ? {} : { reads: reads === null ? null : reads.map(toWorkspace) }),
  }
}

function unknownText(): undefined {
  return undefined
}

function shellFacts(
  { tool, input, needs }: RawCall,
  workspace: WorkspaceFacts,
  toWorkspace: (path: string) => string,
): Pick<
  ToolCall,
  'shell' | 'shellFiles' | 'shellReads' | 'elsewhere' | 'background' | 'unreadable'
> {
  const asked = shellInput(input)
  if (asked === undefined) return { unreadable: phrase('command_unreadable') }
  const { command } = asked
  const here = asked.cwd ?? workspace.cwd ?? workspace.root
  const isInside = !/^(?:\/|\.\.(?:\/|$))/.test(toWorkspace(here))
  const options = {
    ...workspace.shell,
    notBash: isOtherShell(tool, input),
    workspace: { roots: isInside ? [workspace.root, here] : [workspace.root], cwd: here },
  }
  const shell =
    typeof command === 'string' ? analyzeShell(command, options) : analyzeArgv(command, options)
  const cwd = asked.cwd ?? workspace.cwd
  const files = folderedWrites(shell, cwd).map(toWorkspace)
  const isElsewhere = cwd !== undefined && toWorkspace(cwd) !== '.'
  return {
    shell,
    ...(files.length === 0 ? {} : { shellFiles: [...new Set(files)] }),
    ...(needs?.shell === true
      ? { shellReads: placedReads(shell, cwd, workspace, toWorkspace) }
      : {}),
    ...(isElsewhere ? { elsewhere: true } : {}),
    ...(isInBackground(input) ? { background: true } : {}),
  }
}

/** What a command may read, as it is written and where that leads; null where it is not told. */
function placedReads(
  shell: ShellFindings,
  cwd: string | undefined,
  { isFolder }: WorkspaceFacts,
  toWorkspace: (path: string) => string,
): readonly string[] | null {
  const words = readsOf(shell, (path) => isFolder?.(from(cwd, path)) ?? true)
  if (words === undefined) return null
  const placed = words
    .filter((word) => !word.startsWith('-'))
    .map((word) => toWorkspace(from(cwd, word)))
  return [...new Set([...words, ...placed])]
}

const maxFolders = 16

/**
 * What a command visibly changes, from where it starts and from each folder that it has gone to by
 * then: whether a `cd` works is not known, so that either may be meant.
 */
function folderedWrites(shell: ShellFindings, cwd: string | undefined): string[] {
  const visible = new Set(visibleWrites(shell))
  return shell.writes.flatMap(({ path, command }) => {
    if (path === null || !visible.has(path)) return []
    let folders: (string | undefined)[] = [cwd]
    for (const { words } of shell.commands.slice(0, command ?? shell.commands.length)) {
      const [program, folder] = words
      if ((program !== 'cd' && program !== 'pushd') || typeof folder !== 'string') continue
      if (/^[-~+]/.test(folder) || folders.length >= maxFolders) continue
      folders = [...new Set([...folders, ...folders.map((base) => from(base, folder))])]
    }
    return folders.map((folder) => from(folder, path))
  })
}

function from(cwd: string | undefined, path: string): string {
  return cwd === undefined || /^(?:\/|[A-Za-z]:[\\/])/.test(path) ? path : `${cwd}/${path}`
}
