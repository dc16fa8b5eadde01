import { chmodSync, copyFileSync, mkdtempSync, realpathSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'

/** A sandbox has temporary folders of its own: what lies in these is not to be seen in it. */
const replaced = /^\/(?:tmp|var\/tmp|run)(?:\/|$)/

/** A new folder that a sandbox shows, wherever this clone lies. */
export function visibleFolder(name: string): string {
  const homes = [homedir(), '/var/lib', process.cwd()]
  const base = homes.find((home) => !replaced.test(home)) ?? process.cwd()
  return realpathSync(mkdtempSync(join(base, `.statewright-${name}-`)))
}

/** Node as what runs in a sandbox sees it; copied to such a folder where its own is replaced. */
export function visibleNode(folder: string): string {
  const own = realpathSync(process.execPath)
  if (!replaced.test(own)) return own
  const copy = join(folder, 'node')
  copyFileSync(own, copy)
  chmodSync(copy, 0o755)
  return copy
}
