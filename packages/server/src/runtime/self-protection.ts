import { lstatSync } from 'node:fs'
import { relative, sep } from 'node:path'
import type { ExternalAnswer, Reason, ToolCall } from '@statewright/core'
import { type Ground, groundOf } from './ground.ts'
import { type NamedPaths, namedPaths } from './named-paths.ts'
import { reachesUs } from './own-doors.ts'
import { isLinkInto, liesIn, mayMatch } from './path-match.ts'
import type { RuntimeSettings } from './settings.ts'

export interface ProtectedCall {
  readonly input: unknown
  readonly call: ToolCall
  readonly root: string
  /** Where it would run; the root when nobody says. */
  readonly cwd?: string | undefined
  /** Where this server listens. */
  readonly ownPorts: ReadonlySet<number>
}

/**
 * In a guarded run no tool may touch our own data, change what guards it, or speak to us by other
 * doors than its own, whatever the state allows: an agent that can edit its guard has none. What
 * runs later without being asked for is changed only when a person agrees (SH-18).
 */
export function protectSelf(settings: RuntimeSettings, asked: ProtectedCall): ExternalAnswer[] {
  const ground = groundOf(settings, asked.root)
  const named = namesOf(settings, asked)
  const why = whyNot(ground, named, asked, settings)
  if (why !== undefined) return [deny(why)]
  const files = changedOf(ground.asked, named, asked, settings)
  return files.length === 0 ? [] : [askFor(files, asked.root)]
}

/** Protected paths that a call changes which a person has let through. */
export function changedAsked(settings: RuntimeSettings, asked: ProtectedCall): string[] {
  return changedOf(groundOf(settings, asked.root).asked, namesOf(settings, asked), asked, settings)
}

function namesOf({ home }: RuntimeSettings, { input, call, root, cwd }: ProtectedCall): NamedPaths {
  return namedPaths(input, call, { root, cwd: cwd ?? root, home })
}

const ownData = 'The call would reach the data or keys of Statewright itself.'
const ownGuard = 'The call would change what guards it: settings of Statewright or of the client.'

function whyNot(
  ground: Ground,
  named: NamedPaths,
  asked: ProtectedCall,
  settings: RuntimeSettings,
): string | undefined {
  const { untouchable, unchangeable } = ground
  const { touched, changed, patterns } = named
  const isOwn = (path: string) => untouchable.some((own) => liesIn(path, own))
  const isGuard = (path: string) => unchangeable.some((own) => liesIn(path, own))
  // Whoever removes or moves a folder above ours takes ours along.
  const holds = (path: string) => (own: string) => holdsReally(path, own)
  if (touched.some(isOwn) || patterns.some((glob) => names(glob, untouchable))) return ownData
  if (touched.some((path) => isLinkInto(path, untouchable))) return ownData
  if (searchesOwn(named, untouchable, asked.root)) return ownData
  if (changed.some((path) => untouchable.some(holds(path)))) return ownData
  if (changed.some((path) => isGuard(path) || unchangeable.some(holds(path)))) return ownGuard
  if (changed.some((path) => isLinkInto(path, unchangeable))) return ownGuard
  if (named.isVague && patterns.some((glob) => names(glob, unchangeable))) return ownGuard
  if (mentions(untouchable, asked, settings)) return ownData
  if (named.isVague && mentions(unchangeable, asked, settings)) return ownGuard
  if (touched.some((path) => otherView.test(path))) return 'The call would look around the rules.'
  return reachesUs(asked)
}

function holdsReally(path: string, own: string): boolean {
  return liesIn(own, path) && lstatSync(own, { throwIfNoEntry: false }) !== undefined
}

/** Through these the kernel shows every path once more, under names that nobody can compare. */
const otherView =
  /^\/proc\/(?:[^/]+)\/(?:task\/[^/]+\/)?(?:root|cwd|mem|map_files)(?:\/|$)|^\/proc\/\d+\/environ$/

function names(pattern: string, paths: readonly string[]): boolean {
  return paths.some((path) => mayMatch(pattern, path) === 'inside')
}

/** A search that starts above our data goes through them; the workspace itself is no such place. */
function searchesOwn({ searched }: NamedPaths, own: readonly string[], root: string): boolean {
  const isOutside = (path: string) => !liesIn(path, root)
  return searched.some((path) => isOutside(path) && own.some((one) => liesIn(one, path)))
}

function changedOf(
  paths: readonly string[],
  named: NamedPaths,
  asked: ProtectedCall,
  settings: RuntimeSettings,
): string[] {
  const { changed, patterns, isVague } = named
  return paths.filter(
    (own) =>
      changed.some(
        (path) => liesIn(path, own) || holdsReally(path, own) || isLinkInto(path, [own]),
      ) ||
      (isVague && patterns.some((glob) => names(glob, [own]))) ||
      (isVague && mentions([own], asked, settings)),
  )
}

/** A path's very name in the command, in whatever way the shell would put it together. */
function mentions(
  paths: readonly string[],
  { call, root }: ProtectedCall,
  { home }: RuntimeSettings,
): boolean {
  const text = call.shell?.command
  if (text === undefined) return false
  return paths.some((path) => {
    const bases = [root, ...(home === null ? [] : [home])].filter((base) => liesIn(path, base))
    const tails = bases.map((base) => relative(base, path)).filter((tail) => tail !== '')
    return [path, ...tails].some((tail) => standsIn(text, tail))
  })
}

function standsIn(text: string, tail: string): boolean {
  for (let at = text.indexOf(tail); at >= 0; at = text.indexOf(tail, at + 1)) {
    const [before, after] = [text[at - 1] ?? ' ', text[at + tail.length] ?? ' ']
    const isCut = tail.startsWith(sep) || !/[\w.-]/.test(before)
    if (isCut && !/[\w-]/.test(after)) return true
  }
  return false
}

function deny(message: string): ExternalAnswer {
  const reason: Reason = { code: 'self_protection', message, path: '' }
  return { source: 'self_protection', kind: 'deny', reasons: [reason] }
}

function askFor(files: readonly string[], root: string): ExternalAnswer {
  const shown = [
    ...new Set(files.map((file) => (liesIn(file, root) ? relative(root, file) : file))),
  ]
  const list = shown.slice(0, 5).join(', ')
  const message = `What lies at ${list} runs later by itself; a person has to agree to a change.`
  const reason: Reason = { code: 'approval_required', message, path: 'protected_paths' }
  return {
    source: 'protected_paths',
    kind: 'ask',
    reasons: [reason],
    rule: `protected_paths:${shown.toSorted().join(',')}`,
  }
}
