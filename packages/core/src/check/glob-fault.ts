import { globFault } from '../call/glob.ts'

/**
 * Why a glob can match no path of a workspace, or undefined. Paths are relative and use `/`
 * (WF-30), so a pattern that is not would stay silent for ever.
 */
export function workspaceGlobFault(pattern: string): string | undefined {
  if (pattern.startsWith('/') || /^[A-Za-z]:/.test(pattern)) {
    return 'paths are relative to the workspace; leave out the leading part'
  }
  return globFault(pattern) ?? bracketFault(pattern)
}

/** Brackets stand for themselves, as in `app/[id]/page.tsx`; half a pair is a slip of the pen. */
function bracketFault(pattern: string): string | undefined {
  const opened = pattern.split('[').length
  const closed = pattern.split(']').length
  return opened === closed ? undefined : 'a bracket has no partner'
}
