import { execFile } from 'node:child_process'
import { accessSync, constants } from 'node:fs'
import { promisify } from 'node:util'
import { type Bubblewrap, bubblewrapped } from './bubblewrap.ts'
import { socketFilter } from './socket-filter.ts'

/** What this machine has to hold a command with. */
export type SandboxFound =
  | Bubblewrap
  | {
      readonly kind: 'none'
      /** One sentence for people: why there is none, and what would help. */
      readonly why: string
      readonly shell: string
    }

const run = promisify(execFile)
const probeMs = 5000

/** Fixed places, since a PATH may be the agent's own. */
const bubblewrapPaths = ['/usr/bin/bwrap', '/usr/local/bin/bwrap', '/bin/bwrap']
const shellPaths = ['/bin/bash', '/usr/bin/bash', '/usr/local/bin/bash']

export interface ProbeOptions {
  readonly platform?: NodeJS.Platform
  readonly arch?: string
  /** Where bubblewrap may stand. */
  readonly paths?: readonly string[]
}

/** Looks once, at start, by running a command in a real cage: being installed is not enough. */
export async function findSandbox(options: ProbeOptions = {}): Promise<SandboxFound> {
  const { platform = process.platform, arch = process.arch, paths = bubblewrapPaths } = options
  const shell = shellPaths.find(isProgram)
  if (shell === undefined) return none('there is no bash on this machine.', 'sh')
  if (platform !== 'linux') {
    const where = platform === 'darwin' ? 'macOS' : platform
    return none(`${where} has no bubblewrap.`, shell)
  }
  const program = paths.find(isProgram)
  if (program === undefined) {
    return none('bubblewrap is not installed (the package is called bubblewrap).', shell)
  }
  let why = ''
  for (const able of abilities) {
    const found: Bubblewrap = { kind: 'bubblewrap', program, shell, ...able }
    if (able.filtersSockets && socketFilter(arch) === null) continue
    const fault = await tryOut(found)
    if (fault === undefined) return found
    why = fault
  }
  return none(`bubblewrap cannot make its namespaces here (${why}).`, shell)
}

/** From the best to what is still a cage. */
const abilities = [
  { disablesUserNamespaces: true, filtersSockets: true },
  { disablesUserNamespaces: false, filtersSockets: true },
  { disablesUserNamespaces: true, filtersSockets: false },
  { disablesUserNamespaces: false, filtersSockets: false },
] as const

/** What a sandbox that was found cannot do, for people; null where nothing is missing. */
export function weakerSandbox(found: SandboxFound): string | null {
  if (found.kind === 'none' || found.filtersSockets) return null
  return (
    'The sandbox cannot filter system calls here: even without a network, a command in it can ' +
    'connect to sockets of this machine outside of /tmp and /run.'
  )
}

/** Why there is none; null when there is one. */
export function missingSandbox(found: SandboxFound): string | null {
  return found.kind === 'none' ? found.why : null
}

/** That a filter is there is looked up where the kernel says so: accepting it is not enough. */
const isFiltered = 'while read -r name mode; do [ "$name$mode" = Seccomp:2 ] && exit 0; done'

async function tryOut(found: Bubblewrap): Promise<string | undefined> {
  const script = found.filtersSockets ? `${isFiltered} < /proc/self/status; exit 1` : 'exit 0'
  const cage = {
    workspace: '/',
    writable: [],
    readOnly: [],
    masked: [],
    absent: [],
    links: new Map<string, string>(),
    network: false,
  }
  const { program, args, env } = bubblewrapped(found, [found.shell, '-c', script], {
    cage,
    cwd: '/',
    env: { PATH: '/usr/bin:/bin' },
  })
  try {
    await run(program, args, { env, timeout: probeMs })
    return undefined
  } catch (fault) {
    const text = fault instanceof Error ? fault.message : String(fault)
    return text.trim().split('\n').at(-1)?.slice(0, 200) ?? 'unknown'
  }
}

function none(why: string, shell: string): SandboxFound {
  const text = `No sandbox: ${why} Programs that commands start are not contained (level L0).`
  return { kind: 'none', why: text, shell }
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
