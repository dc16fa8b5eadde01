import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { lstatSync, readlinkSync } from 'node:fs'
import { promisify } from 'node:util'
import { bubblewrapped } from './bubblewrap.ts'
import { type Cage, foldersTo, isLink } from './cage.ts'
import type { SandboxFound } from './find-sandbox.ts'

/**
 * What has come into being at paths that were to stay absent. Links are never followed: a new one
 * on the way to such a path is itself what must not be there, since anyone who looks for the path
 * would be led through it.
 */
export function madeSince({
  workspace,
  absent,
  links,
}: Pick<Cage, 'workspace' | 'absent' | 'links'>): string[] {
  const made = absent.flatMap((path) => {
    for (const at of [...foldersTo(workspace, path), path]) {
      if (!isLink(at)) continue
      return links.get(at) === readlinkSync(at) ? [] : [at]
    }
    return isThere(path) ? [path] : []
  })
  return [...new Set(made)]
}

const run = promisify(execFile)
const asideMs = 10_000
/** Names that one start moves; the rest waits for the next. */
const maxAtOnce = 200

/**
 * Renames paths of a workspace that must not stay, and gives back those that are gone. It is done
 * in a cage in which nothing but the workspace can be changed: commands that still run there could
 * swap a folder for a link meanwhile, and we would rename what it leads to.
 */
export async function putAside(
  sandbox: SandboxFound,
  workspace: string,
  paths: readonly string[],
): Promise<readonly string[]> {
  if (paths.length === 0 || sandbox.kind !== 'bubblewrap') return []
  const moved = paths.slice(0, maxAtOnce)
  const pairs = moved.flatMap((path) => [path, `${path}.refused-${randomBytes(4).toString('hex')}`])
  // A folder that was shut against us belongs to the same user, and can be opened again.
  const script =
    // biome-ignore lint/suspicious/noTemplateCurlyInString: as a shell reads it.
    'while (($#)); do chmod u+wx -- "${1%/*}"; mv -nT -- "$1" "$2"; shift 2; done; exit 0'
  const words = [sandbox.shell, '--noprofile', '--norc', '-c', script, 'statewright', ...pairs]
  const { program, args, env } = bubblewrapped(sandbox, words, moverIn(workspace))
  await run(program, args, { env, timeout: asideMs }).catch(() => {})
  return moved.filter((path) => !isThere(path))
}

function moverIn(workspace: string) {
  const nothing = { readOnly: [], masked: [], absent: [], links: new Map<string, string>() }
  const cage: Cage = { workspace, writable: [workspace], ...nothing, network: false }
  return { cage, cwd: '/', env: { PATH: '/usr/bin:/bin' } }
}

function isThere(path: string): boolean {
  try {
    return lstatSync(path, { throwIfNoEntry: false }) !== undefined
  } catch {
    return false
  }
}
