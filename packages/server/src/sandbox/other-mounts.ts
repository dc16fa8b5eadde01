import { readFileSync } from 'node:fs'
import { sep } from 'node:path'

interface Mount {
  readonly device: string
  /** What of the device is shown, and where. */
  readonly root: string
  readonly point: string
}

/**
 * Where paths are to be seen a second time: a file system that is mounted twice, such as a home
 * that a container tool binds elsewhere, shows under another name what is hidden under the first.
 */
export function seenElsewhere(paths: readonly string[], mountinfo = readMounts()): string[] {
  const mounts = parse(mountinfo)
  const found = paths.flatMap((path) => {
    const mount = mountOf(path, mounts)
    if (mount === undefined) return []
    const inside = joined(mount.root, path.slice(mount.point === '/' ? 0 : mount.point.length))
    return mounts
      .filter(({ device, root }) => device === mount.device && isWithin(inside, root))
      .map(({ root, point }) => joined(point, inside.slice(root === '/' ? 0 : root.length)))
      .filter((other) => other !== path && mountOf(other, mounts)?.device === mount.device)
  })
  return [...new Set(found)]
}

/** The nearest above a path; of two at the same point the later one is seen. */
function mountOf(path: string, mounts: readonly Mount[]): Mount | undefined {
  return mounts.reduce<Mount | undefined>((best, mount) => {
    if (!isWithin(path, mount.point)) return best
    return best === undefined || mount.point.length >= best.point.length ? mount : best
  }, undefined)
}

/** As `isWithin` of the cage, which asks us. */
function isWithin(path: string, folder: string): boolean {
  return path === folder || path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}

function joined(folder: string, rest: string): string {
  if (rest === '' || rest === '/') return folder
  return folder === '/' ? rest : folder + rest
}

function parse(mountinfo: string): Mount[] {
  return mountinfo.split('\n').flatMap((line) => {
    const [, , device, root, point] = line.split(' ')
    if (device === undefined || root === undefined || point === undefined) return []
    return [{ device, root: unescaped(root), point: unescaped(point) }]
  })
}

/** Blanks and the like stand there as numbers. */
function unescaped(text: string): string {
  return text.replaceAll(/\\([0-7]{3})/g, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 8)),
  )
}

function readMounts(): string {
  try {
    return readFileSync('/proc/self/mountinfo', 'utf8')
  } catch {
    return ''
  }
}
