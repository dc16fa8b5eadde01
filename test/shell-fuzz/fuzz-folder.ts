import {
  accessSync,
  chmodSync,
  constants,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { cageScript, launcherScript } from './launcher.ts'
import { notFoundHandle, wrapperNames, writeRecorders } from './recorders.ts'

/** A throw-away folder with all that lines may see, and how to start their launcher in it. */
export interface FuzzFolder {
  readonly path: string
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
}

/** Where a program stands on this machine, or undefined. */
export function locate(name: string): string | undefined {
  for (const folder of [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/sbin']) {
    const path = join(folder, name)
    try {
      accessSync(path, constants.X_OK)
      return realpathSync(path)
    } catch {
      // Not in this folder; the next one may have it.
    }
  }
  return undefined
}

/** Builds a place. In a cage its path is the root that lines see; else they see the real one. */
export function buildFolder(isCaged: boolean): FuzzFolder {
  // Without a cage a line runs with the rights of whoever started the tests; never as root.
  if (!isCaged && process.getuid?.() === 0) throw new Error('root runs lines in a cage only')
  const bash = locate('bash')
  if (bash === undefined) throw new Error('there is no bash on this machine')
  const path = realpathSync(mkdtempSync(join(tmpdir(), 'shell-fuzz-')))
  chmodSync(path, 0o755)
  const root = isCaged ? '' : path
  for (const folder of ['sys', 'log', 'w']) mkdirSync(join(path, folder))
  for (const folder of ['log', 'w']) chmodSync(join(path, folder), 0o777)
  writeRecorders(path, root, isCaged)
  writeFileSync(join(path, 'launcher'), launcherScript(root))
  const env = {
    PATH: `${root}/rec`,
    // A home that is not there: start-up files written by one line would run in the next.
    HOME: `${root}/home`,
    LC_ALL: 'C.UTF-8',
    FUNCNEST: '60',
    'BASH_FUNC_command_not_found_handle%%': notFoundHandle(root),
  }
  if (!isCaged) {
    symlinkSync(bash, join(path, 'sys', 'bash'))
    // Signals leave the folder, so a line's shell does not know how to send any.
    const first = join(path, 'sys', 'first')
    writeFileSync(first, 'enable -n kill suspend ulimit enable history\n')
    const program = join(path, 'sys', 'bash')
    return {
      path,
      program,
      args: ['--norc', join(path, 'launcher')],
      env: { ...env, START: first },
    }
  }
  return { path, program: locate('unshare') ?? 'unshare', args: cageArgs(path, bash), env }
}

function cageArgs(path: string, bash: string): string[] {
  for (const folder of [
    'lib',
    'lib64',
    'usr',
    'usr/lib',
    'usr/lib64',
    'usr/libexec',
    'proc',
    'dev',
  ]) {
    mkdirSync(join(path, folder))
  }
  writeFileSync(join(path, 'dev/null'), '')
  for (const [name, target] of [
    ['fd', '/proc/self/fd'],
    ['stdin', '/proc/self/fd/0'],
    ['stdout', '/proc/self/fd/1'],
    ['stderr', '/proc/self/fd/2'],
  ] as const) {
    symlinkSync(target, join(path, 'dev', name))
  }
  // A program by its full path is the recorder as well.
  symlinkSync('rec', join(path, 'bin'))
  symlinkSync('../rec', join(path, 'usr/bin'))
  const real: [name: string, path: string][] = [['bash', bash]]
  for (const name of wrapperNames) {
    const found = locate(name)
    if (found !== undefined) real.push([name, found])
  }
  for (const [name] of real) writeFileSync(join(path, 'sys', name), '')
  const isRoot = process.getuid?.() === 0
  const namespaces = ['--mount', '--pid', '--net', '--fork', '--kill-child']
  // Root steps down to nobody, since the kernel does not limit what root may start.
  const who = isRoot ? ['--userspec=65534:65534'] : []
  if (!isRoot) namespaces.push('--user', '--map-root-user')
  const [chroot, mount] = [locate('chroot') ?? 'chroot', locate('mount') ?? 'mount']
  const cage = ['-c', cageScript, 'cage', path, chroot, mount]
  return [...namespaces, bash, '--norc', ...cage, ...real.flat(), '--', ...who]
}
