import type { Stats } from 'node:fs'
import { relative, resolve, sep } from 'node:path'
import {
  describeCall,
  type ExternalAnswer,
  type Phrase,
  phrase,
  type ReasonFacts,
  shellInput,
  type ToolCall,
} from '@statewright/core/internal'
import { isThere, Looks } from '../../base/looks.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { RuntimeSettings } from '../../runtime/settings.ts'
import type { CallRequest } from '../call-request.ts'
import { workspaceFacts } from '../workspace-facts.ts'
import { expandedCommands } from './expanded-command.ts'
import { isGitSetting } from './git-files.ts'
import { commandsIn } from './input-strings.ts'
import { holdsCode, isUnknown, type NamedPaths, namedPaths } from './named-paths.ts'
import { reachesUs } from './own-endpoints.ts'
import { besideRoot, holdsPackage, isAround, sweepsProgram } from './own-program.ts'
import { packageChanges } from './package-commands.ts'
import { folded, hasOtherNames, hasWildcard, isLinkInto, liesIn, mayMatch } from './path-match.ts'
import { isProgramFile } from './program-files.ts'
import type { ProtectedCall } from './protected-call.ts'
import {
  guardsAnywhere,
  homesOf,
  keysAnywhere,
  laterAnywhere,
  lookUpAnew,
  type ProtectedPath,
  type ProtectedPaths,
  protectedPathsOf,
  withHome,
} from './protected-paths.ts'
import { hidesFile, holdsLanguage } from './searched-folders.ts'
import { meansName, type Sweep } from './swept-folders.ts'

/**
 * No tool may touch our own data, change what guards it, or speak to us by other
 * doors than its own, whatever the state allows: an agent that can edit its guard has none. What
 * runs later without being asked for is changed only when a person agrees (SH-18).
 */
export function protectSelf(
  settings: RuntimeSettings,
  protectedCall: ProtectedCall,
): ExternalAnswer[] {
  const paths = protectedPathsOf(settings, protectedCall.root)
  const calls = allOf(settings, protectedCall)
  for (const call of calls) {
    const why = guardedBy(call) ?? whyNot(paths, call)
    if (why !== undefined) return [deny(why)]
  }
  const files = approvalFiles(paths, calls)
  if (files.length === 0) return []
  lookUpAnew(settings, protectedCall.root)
  return [askFor(files, protectedCall.root)]
}

/** A call with the paths that it names: finding them is most of the work, and done once. */
interface NamingCall {
  readonly one: ProtectedCall
  readonly named: NamedPaths
  readonly looks: Looks
}

/** Commands of ours that belong to a person, also where no run judges: they may switch us off. */
function guardedBy({ one }: NamingCall): Phrase | undefined {
  return one.call.shell?.guard.find(({ code }) => code === 'self_protection')?.message
}

/** The call itself, and the commands that a tool which is no shell would run. */
function allOf(settings: RuntimeSettings, call: ProtectedCall): NamingCall[] {
  const { looks = new Looks() } = call
  const calls = [call, ...innerCommands(settings, call, looks)]
  const guesses = calls.flatMap((one) => expandedCalls(settings, one, looks))
  return [...calls, ...guesses].map((one) => ({ one, named: namesOf(settings, one, looks), looks }))
}

function expandedCalls(
  settings: RuntimeSettings,
  protectedCall: ProtectedCall,
  looks: Looks,
): ProtectedCall[] {
  const { call, input } = protectedCall
  if (call.shell === undefined) return []
  const cwd = shellInput(input)?.cwd
  const commands = expandedCommands(call.shell.command, homesOf(settings))
  return commands.map((command) => {
    return asShell(settings, protectedCall, looks, { command, ...(cwd && { cwd }) })
  })
}

function asShell(
  settings: RuntimeSettings,
  protectedCall: ProtectedCall,
  looks: Looks,
  input: { readonly command: string | string[]; readonly cwd?: string },
): ProtectedCall {
  const { call, root, cwd } = protectedCall
  const facts = workspaceFacts(settings, root, cwd, looks)
  const described = describeCall({ id: call.id, tool: 'Bash', input }, facts)
  return { ...protectedCall, input, call: described }
}

function innerCommands(
  settings: RuntimeSettings,
  protectedCall: ProtectedCall,
  looks: Looks,
): ProtectedCall[] {
  const { call, input } = protectedCall
  if (call.shell !== undefined || !isUnknown(call)) return []
  return commandsIn(call.tool, input).map((command) => {
    const text = typeof command === 'string' ? command : [...command]
    return asShell(settings, protectedCall, looks, { command: text })
  })
}

/** What our own protection says of a call, with a run or without. */
export function ownAnswers(
  { settings, ownPorts }: Runtime,
  { input, cwd, home, isShielded }: CallRequest,
  call: ToolCall,
  { root, looks }: { readonly root: string; readonly looks: Looks },
): readonly ExternalAnswer[] {
  return protectSelf(withHome(settings, home), {
    input,
    call,
    root,
    cwd,
    ownPorts,
    looks,
    isShielded,
  })
}

/** What a call changes that runs later: a person agrees first. */
export function changedApprovalPaths(settings: RuntimeSettings, call: ProtectedCall): string[] {
  return approvalFiles(protectedPathsOf(settings, call.root), allOf(settings, call))
}

function approvalFiles(paths: ProtectedPaths, calls: readonly NamingCall[]): string[] {
  return [...new Set(calls.flatMap((call) => approvalPaths(paths, call)))]
}

function namesOf(
  settings: RuntimeSettings,
  { input, call, root, cwd }: ProtectedCall,
  looks: Looks,
): NamedPaths {
  const homes = homesOf(settings)
  const named = call.shell === undefined ? undefined : shellInput(input)?.cwd
  return namedPaths(input, call, { root, cwd: resolve(root, named ?? cwd ?? root), homes, looks })
}

const ownData = phrase('own_data')
const ownGuard = phrase('own_guard')
const ownProgram = phrase('own_program')

function whyNot(
  { untouchable, unchangeable, program }: ProtectedPaths,
  { one: call, named, looks }: NamingCall,
): Phrase | undefined {
  const { touched, changed, patterns, isVague } = named
  if (touched.some((path) => isAt(path, untouchable, looks)) || names(patterns, untouchable)) {
    return ownData
  }
  if (touched.some(keysAnywhere.has)) return ownData
  if (searchesOwn(named, untouchable, call)) return ownData
  if (named.starred.some((path) => sweepsOver({ path, names: [] }, untouchable))) return ownData
  if (isAbove(named.guessed, untouchable)) return ownData
  if (changed.some((path) => takesAlong(path, untouchable))) return ownData
  if (changed.some((path) => isAt(path, unchangeable, looks))) return ownGuard
  if (changed.some((path) => takesAlong(path, unchangeable))) return ownGuard
  if (changed.some((path) => guardsAnywhere.has(path))) return ownGuard
  if (named.swept.some((sweep) => sweepsOver(sweep, unchangeable))) return ownGuard
  if (named.swept.some((sweep) => sweepsOver(sweep, untouchable))) return ownData
  const planted = besideRoot(named.planted, call.root)
  if (planted.some((path) => isAround(path, untouchable))) return ownData
  if (planted.some((path) => isAround(path, unchangeable))) return ownGuard
  if (planted.some((path) => guardsAnywhere.has(path) || guardsAnywhere.isAbove(path))) {
    return ownGuard
  }
  if (planted.some((path) => isAround(path, program))) return ownProgram
  if (named.installed.some((path) => holdsPackage(path, program))) return ownProgram
  if (call.call.shell !== undefined && packageChanges(call.call.shell).isOurs) return ownProgram
  if (named.swept.some((sweep) => sweepsProgram(sweep, program))) return ownProgram
  if (changed.some((path) => isOfProgram(path, program))) return ownProgram
  if (named.worked.some((path) => liesInOne(path, program))) return ownProgram
  if (isVague) {
    if (names(patterns, unchangeable) || patterns.some(guardsAnywhere.mayHave)) return ownGuard
    if (names(patterns, program)) return ownProgram
  }
  const { shell } = call.call
  const isHidden =
    isVague ||
    (shell !== undefined && (holdsCode(shell) || holdsLanguage(shell) || hidesFile(shell)))
  if (mentions(untouchable, call.call, isHidden ? 'anyhow' : 'computed')) return ownData
  if (isVague && mentions(unchangeable, call.call, 'anyhow')) return ownGuard
  if (isVague && mentionsName(guardsAnywhere.names, call.call)) return ownGuard
  if (isVague && mentions(program, call.call, 'anyhow')) return ownProgram
  if (touched.some((path) => otherView.test(path)) || patterns.some(showsOther)) {
    return phrase('around_the_rules')
  }
  if (named.searched.some((path) => /^\/(?:proc|dev)(?:\/|$)/.test(path))) {
    return phrase('around_the_rules')
  }
  return reachesUs(call)
}

/** Whether one of the paths, which may have wildcards, holds a place of ours. */
function isAbove(paths: readonly string[], guarded: readonly ProtectedPath[]): boolean {
  const texts = paths.map(folded)
  return guarded.some((kept) => texts.some((text) => mayMatch(text, kept.folded) !== undefined))
}

function liesInOne(path: string, guarded: readonly ProtectedPath[]): boolean {
  const text = folded(path)
  return guarded.some((own) => liesIn(text, own.folded))
}

function isOfProgram(path: string, program: readonly ProtectedPath[]): boolean {
  if (liesInOne(path, program)) return true
  return takesAlong(path, program) || isProgramFile(path, program)
}

/** Whether a path is one of those, lies in one, or is the same file under another name. */
function isAt(path: string, guarded: readonly ProtectedPath[], looks: Looks): boolean {
  if (liesInOne(path, guarded)) return true
  return isLinkInto(looks.at(path), () => guarded.map((kept) => kept.path))
}

/** Whether a place of ours that is there lies below a folder, or matches what is written of it. */
function sweepsOver(sweep: Sweep, guarded: readonly ProtectedPath[]): boolean {
  const text = folded(sweep.path)
  return guarded.some((kept) => {
    const isBelow = hasWildcard(text)
      ? mayMatch(text, kept.folded) !== undefined && !hidesFromStar(text, kept.folded)
      : liesIn(kept.folded, text) || liesIn(text, kept.folded)
    return isBelow && isThere(kept.path) && meansName(sweep, kept.path)
  })
}

/** A shell takes a star for no name that begins with a dot. */
function hidesFromStar(pattern: string, path: string): boolean {
  const segments = path.split('/')
  return pattern.split('/').some((glob, index) => {
    return hasWildcard(glob) && !glob.startsWith('.') && segments[index]?.startsWith('.') === true
  })
}

/** Anyone who removes or moves a folder above ours takes ours along. */
function takesAlong(path: string, guarded: readonly ProtectedPath[]): boolean {
  const text = folded(path)
  return guarded.some((kept) => liesIn(kept.folded, text) && isThere(kept.path))
}

/** Through these the kernel shows every path once more, under names that nobody can compare. */
const otherView = new RegExp(
  [
    '^/proc/[^/]+/(?:task/[^/]+/)?(?:root|cwd|mem|map_files)(?:/|$)',
    String.raw`^/proc/(?:\d+|thread-self|[^/]+/task/[^/]+)/environ$`,
    // Terminals of people: what they type can be read there, and what they read be forged.
    String.raw`^/dev/(?:pts/|vcs|tty[\dS]|console$|input/)`,
  ].join('|'),
)

/** The same, in a path with wildcards: those of all processes, or of all terminals. */
function showsOther(pattern: string): boolean {
  if (mayMatch(pattern, '/dev/pts/0') === 'inside') return true
  return /^\/proc\/[^/]*[*?[][^/]*\/(?:task\/[^/]+\/)?(?:environ|mem|fd|root|cwd|map|.*[*?[])/.test(
    pattern,
  )
}

function names(patterns: readonly string[], guarded: readonly ProtectedPath[]): boolean {
  return patterns.some((pattern) => {
    const text = folded(pattern)
    return guarded.some((kept) => mayMatch(text, kept.folded) === 'inside')
  })
}

/** A search that starts above our data goes through them; one of the whole workspace has to be. */
function searchesOwn(
  { searched }: NamedPaths,
  own: readonly ProtectedPath[],
  { root, cwd, call, isShielded }: ProtectedCall,
): boolean {
  if (searched.length === 0) return false
  const workspace = folded(root)
  // A root of a caller that says nothing of folders stands for one that nobody knows.
  const isNowhere = root === '/' && cwd === undefined
  const isLeftOut = isNowhere || (isShielded === true && call.shell === undefined)
  return searched.map(folded).some((path) => {
    const isRoot = path === workspace
    if (isRoot && isLeftOut) return false
    // A key of the project's own client lies in nearly every workspace: no search would be left.
    return own.some(
      (kept) => liesIn(kept.folded, path) && !(isRoot && keysAnywhere.has(kept.folded)),
    )
  })
}

/** What runs later and would be changed by a call (SH-18). */
function approvalPaths(paths: ProtectedPaths, { one, named, looks }: NamingCall): string[] {
  const { call } = one
  const { changed, patterns, isVague } = named
  if (changed.length === 0 && named.swept.length === 0 && !isVague) return []
  const texts = changed.map(folded)
  const linked = changed.map((path) => looks.at(path)).filter(hasOtherNames)
  const found = [...paths.needApproval, ...paths.later].filter((one) => {
    return isChanged(one, texts, linked) || named.swept.some((sweep) => sweepsOver(sweep, [one]))
  })
  found.push(...paths.tools.filter((one) => isChanged(one, texts, [])))
  const elsewhere = changed.filter(runsLaterAnywhere)
  const known = found.map(({ path }) => path)
  const files = [...known, ...elsewhere.filter((path) => !known.some((at) => liesIn(path, at)))]
  if (!isVague) return files
  const hidden = paths.needApproval.filter((one) => {
    return names(patterns, [one]) || mentions([one], call, 'anyhow')
  })
  const meant = patterns.filter(laterAnywhere.mayHave)
  const output = laterAnywhere.names.filter((name) => mentionsName([name], call))
  const inRoot = paths.later.filter(({ names: tails }) =>
    tails.some((tail) => output.includes(tail)),
  )
  const more = [...hidden, ...inRoot].map(({ path }) => path)
  return [...new Set([...files, ...more, ...meant, ...output])]
}

/** A folder that is put where such a path would lie brings it along. */
function runsLaterAnywhere(path: string): boolean {
  return laterAnywhere.has(path) || laterAnywhere.isAbove(path) || isGitSetting(path)
}

/** Whether one of some paths lies there, takes it along, or is it under another name. */
function isChanged(
  { path, folded: own }: ProtectedPath,
  texts: readonly string[],
  linked: readonly Stats[],
): boolean {
  if (texts.some((text) => liesIn(text, own))) return true
  if (texts.some((text) => liesIn(own, text) && isThere(path))) return true
  return linked.some((file) => isLinkInto(file, () => [path]))
}

/**
 * A path's very name in the command, in whatever way the shell would put it together. Where only
 * what is computed counts, words that stand there as they are were compared already.
 */
function mentions(
  guarded: readonly ProtectedPath[],
  call: ToolCall,
  how: 'anyhow' | 'computed',
): boolean {
  const text = call.shell?.command
  if (text === undefined) return false
  return guarded.some((kept) => kept.names.some((name) => standsIn(text, name, how)))
}

function mentionsName(names: readonly string[], call: ToolCall): boolean {
  const text = call.shell?.command
  return text !== undefined && names.some((name) => standsIn(text, name, 'anyhow'))
}

function standsIn(text: string, tail: string, how: 'anyhow' | 'computed'): boolean {
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + tail.length] ?? ' ']
    const isCut = tail.startsWith(sep) || !/[\w.-]/.test(before)
    if (!isCut || /[\w-]/.test(after)) continue
    const leading = text.slice(Math.max(0, at - 200), at)
    if (how === 'anyhow' || /[$`~)}][^\s;|&]*$/.test(leading)) return true
  }
  return false
}

function deny(message: Phrase): ExternalAnswer {
  const reason: ReasonFacts = { code: 'self_protection', message, path: '' }
  return { source: 'self_protection', kind: 'deny', reasons: [reason] }
}

function askFor(files: readonly string[], root: string): ExternalAnswer {
  const shown = [
    ...new Set(files.map((file) => (liesIn(file, root) ? relative(root, file) : file))),
  ]
  const message = phrase('protected_paths_ask', { files: shown.slice(0, 5) })
  const reason: ReasonFacts = { code: 'approval_required', message, path: 'protected_paths' }
  return {
    source: 'protected_paths',
    kind: 'ask',
    reasons: [reason],
    rule: `protected_paths:${shown.toSorted().join(',')}`,
  }
}
