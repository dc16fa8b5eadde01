import { statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Cage, isWithin } from './cage.ts'
import { checkedStart } from './checked-start.ts'
import { loaderPattern } from './environment.ts'
import { asEscapes, keyFilter, socketFilter } from './socket-filter.ts'

/** Scratch space lives in memory; a command must not fill all of it. */
const scratchBytes = 1024 * 1024 * 1024

export interface SandboxCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

export interface Bubblewrap {
  readonly kind: 'bubblewrap'
  /** Absolute, found once at start: never looked up in the agent's PATH. */
  readonly program: string
  readonly shell: string
  /** Further user namespaces can be forbidden inside: they lend capabilities. */
  readonly disablesUserNamespaces: boolean
  /** A filter of system calls can keep sockets of the host and keys of the kernel out of reach. */
  readonly filtersSockets: boolean
}

/**
 * How a command is started in a cage. The environment is clean before bubblewrap begins: what it
 * removes by an option would still be readable in /proc/1/environ.
 */
export function bubblewrapped(
  bubblewrap: Bubblewrap,
  command: readonly string[],
  options: {
    readonly cage: Cage
    readonly cwd: string
    readonly env: Readonly<Record<string, string>>
  },
): SandboxCommand {
  const { cage, cwd } = options
  const env: Record<string, string> = {}
  const inside: string[] = []
  for (const [name, value] of Object.entries(options.env)) {
    if (loaderPattern.test(name)) inside.push('--setenv', name, value)
    else env[name] = value
  }
  const { program, args } = cageStart(bubblewrap, cage, cwd)
  return { program, args: [...args, ...inside, '--', ...command], env }
}

/** The program that makes a cage, with its options. */
export function cageStart(
  bubblewrap: Bubblewrap,
  cage: Cage,
  cwd: string,
): Pick<SandboxCommand, 'program' | 'args'> {
  const { program, shell } = bubblewrap
  const args = cageArgs(bubblewrap, cage, cwd)
  const made = cage.network ? keyFilter(process.arch) : socketFilter(process.arch)
  const filter = bubblewrap.filtersSockets ? made : null
  return checkedStart(shell, filter === null ? '' : asEscapes(filter), { program, args })
}

/** The options that make a cage; variables for loading may follow, then `--` and the command. */
function cageArgs(bubblewrap: Bubblewrap, cage: Cage, cwd: string): readonly string[] {
  return [
    ...rootOf(cage),
    ...namespaces(bubblewrap, cage),
    // As root a read-only mount could be made writable again.
    ...['--cap-drop', 'ALL', '--die-with-parent'],
    // Without a session of its own a command could type into the person's terminal.
    '--new-session',
    ...['--chdir', cwd],
  ]
}

/**
 * Replaced by folders of its own: what others left in /tmp, and in /run the sockets of services
 * that start programs for anyone who asks (docker, systemd, D-Bus).
 */
const scratch = ['/tmp', '/var/tmp', '/run']

/**
 * Whether a folder is one of those that a cage replaces. The caller must not bind it again because
 * a call wants to stand in it: `/run/user/1000` would come back with all its sockets.
 */
export function isReplaced(path: string, workspace: string): boolean {
  return scratch.some((one) => isWithin(path, one)) && !isWithin(path, workspace)
}

/**
 * What names are looked up by, where systemd does it. Not their folder: in it lies a socket by
 * which anyone who has no network could still send names out.
 */
const resolverFiles = ['resolv.conf', 'stub-resolv.conf'].map(
  (name) => `/run/systemd/resolve/${name}`,
)

function rootOf(cage: Cage): string[] {
  const { workspace, writable, readOnly, masked } = cage
  const hidden = scratch.some((one) => isBelow(workspace, one)) ? [workspace] : []
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Root without capabilities still owns the files of the kernel: by writing a program's name
    // into /proc/sys/kernel/core_pattern it would be run outside of every cage.
    ...['--remount-ro', '/proc'],
    ...scratch.flatMap(tmpfs),
    ...(cage.network ? resolverFiles.flatMap((path) => ['--ro-bind-try', path, path]) : []),
    // A workspace under /tmp would be gone with it.
    ...hidden.flatMap((path) => ['--ro-bind', path, path]),
    ...[...writable, ...foldersAbove(readOnly, writable)].flatMap((path) => ['--bind', path, path]),
    ...readOnly.flatMap((path) => ['--ro-bind', path, path]),
    // Last, so that nothing above shows again what is hidden.
    ...masked.flatMap((path) => (isFolder(path) ? mask(path) : ['--ro-bind', '/dev/null', path])),
  ]
}

/**
 * Folders between a writable one and what is read-only in it. Bound to themselves they cannot be
 * moved: with `mv .git g; cp -r g .git` the hooks in it would be writable again.
 */
function foldersAbove(paths: readonly string[], writable: readonly string[]): string[] {
  const found = new Set<string>()
  for (const path of paths) {
    const top = writable.find((folder) => isBelow(path, folder))
    if (top === undefined) continue
    for (let at = dirname(path); at !== top && isBelow(at, top); at = dirname(at)) found.add(at)
  }
  return [...found].toSorted()
}

function isBelow(path: string, folder: string): boolean {
  return path !== folder && isWithin(path, folder)
}

function tmpfs(path: string): string[] {
  return ['--size', String(scratchBytes), '--tmpfs', path]
}

function mask(path: string): string[] {
  return ['--perms', '0500', '--tmpfs', path, '--remount-ro', path]
}

function namespaces({ disablesUserNamespaces }: Bubblewrap, { network }: Cage): string[] {
  return [
    '--unshare-user',
    ...(disablesUserNamespaces ? ['--disable-userns'] : []),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(network ? [] : ['--unshare-net']),
  ]
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
