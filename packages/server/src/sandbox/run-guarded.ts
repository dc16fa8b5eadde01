import { type ChildProcess, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { bubblewrapped, type SandboxCommand } from './bubblewrap.ts'
import type { Cage } from './cage.ts'
import { endTree, markName, newMark } from './end-tree.ts'
import type { SandboxFound } from './find-sandbox.ts'
import { madeSince, putAside } from './put-aside.ts'

export interface GuardedOptions {
  readonly sandbox: SandboxFound
  /** Null runs without a cage; see `planCage` for which it has to be. */
  readonly cage: Cage | null
  readonly cwd: string
  /** The whole environment of the command: from `serverChildEnvironment`. */
  readonly env: Readonly<Record<string, string>>
  readonly timeoutMs: number
  /** Bytes of each stream that are kept; what is more is counted and dropped. */
  readonly outputLimit: number
  readonly signal?: AbortSignal
  /** Who finds it again when we are killed meanwhile; see `endOwned`. */
  readonly owner?: string
  /** Given to the command's standard input, which is empty otherwise. */
  readonly input?: string
  readonly onOutput?: (chunk: Buffer, stream: 'stdout' | 'stderr') => void
}

export interface GuardedResult {
  /** Null when it was ended before it had an exit code. */
  readonly exit: number | null
  readonly ended: 'itself' | 'timeout' | 'stopped'
  readonly stdout: string
  readonly stderr: string
  readonly isTruncated: boolean
  /** All bytes it wrote, those that were dropped included. */
  readonly outputBytes: number
  /** SHA-256 over all of its output, in the order in which it came. */
  readonly outputHash: string
  readonly durationMs: number
  readonly isCaged: boolean
  /** Protected paths that came into being meanwhile, and were put aside. */
  readonly intruders: readonly string[]
}

/** What whoever ran a command hears of files that are gone, in the words that `exec` has for it. */
export function intruderLines(paths: readonly string[]): string {
  return paths
    .map((path) => `statewright: ${path} is protected; what was created there was moved aside.\n`)
    .join('')
}

/**
 * Runs a shell command (a text for `bash -c`, or a program with its arguments) in its own process
 * group, and gives back what came of it. When it resolves, nothing that the command started is
 * alive any more. It never rejects for what the command does; a program that cannot be started
 * ends with code 127, as in a shell.
 */
export async function runGuarded(
  command: string | readonly string[],
  options: GuardedOptions,
): Promise<GuardedResult> {
  const { cage, timeoutMs, outputLimit, signal, input } = options
  if (signal?.aborted === true || cage?.broken?.aborted === true) {
    await cage?.over?.()
    return neverBegun
  }
  const began = performance.now()
  const mark = newMark(options.owner)
  const { program, args, env } = startOf(command, options)
  const child = spawn(program, args, {
    cwd: options.cwd,
    env: { ...env, [markName]: mark },
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe'],
  })
  const heard = listen(child, outputLimit, options.onOutput)
  let ended: GuardedResult['ended'] = 'itself'
  const end = (why: GuardedResult['ended']) => {
    if (ended === 'itself') ended = why
    if (child.pid !== undefined) endTree(child.pid, mark)
  }
  const timer = setTimeout(() => end('timeout'), timeoutMs)
  const onAbort = () => end('stopped')
  signal?.addEventListener('abort', onAbort, { once: true })
  cage?.broken?.addEventListener('abort', onAbort, { once: true })
  // A command that reads nothing closes its end: no fault.
  child.stdin.on('error', () => {})
  child.stdin.end(input ?? '')
  try {
    const exit = await exitOf(child, heard)
    if (child.pid !== undefined) endTree(child.pid, mark)
    await drained(child)
    return {
      exit: ended === 'itself' ? exit : null,
      ended,
      ...heard.result(),
      durationMs: performance.now() - began,
      isCaged: cage !== null && options.sandbox.kind === 'bubblewrap',
      intruders: await overOf(options),
    }
  } finally {
    clearTimeout(timer)
    signal?.removeEventListener('abort', onAbort)
    cage?.broken?.removeEventListener('abort', onAbort)
  }
}

/** What the command made and must not stay is put aside, by whoever planned the cage or by us. */
async function overOf({ sandbox, cage }: GuardedOptions): Promise<readonly string[]> {
  if (cage === null) return []
  if (cage.over !== undefined) return cage.over()
  return putAside(sandbox, cage.workspace, madeSince(cage))
}

/** Nobody wants it any more: started and ended at once it could still have done something. */
const neverBegun: GuardedResult = {
  exit: null,
  ended: 'stopped',
  stdout: '',
  stderr: '',
  isTruncated: false,
  outputBytes: 0,
  outputHash: createHash('sha256').digest('hex'),
  durationMs: 0,
  isCaged: false,
  intruders: [],
}

/** Program, arguments and environment of a command, in its cage or without one. */
function startOf(
  command: string | readonly string[],
  { sandbox, cage, cwd, env }: Pick<GuardedOptions, 'sandbox' | 'cage' | 'cwd' | 'env'>,
): SandboxCommand {
  const words = typeof command === 'string' ? shellWords(sandbox.shell, command) : command
  if (cage !== null && sandbox.kind === 'bubblewrap') {
    return bubblewrapped(sandbox, words, { cage, cwd, env })
  }
  const [program = sandbox.shell, ...args] = words
  return { program, args, env }
}

/**
 * Bash takes a socket on its input for a remote login and reads the start-up file of the person,
 * which nobody has judged; Node gives it sockets.
 */
export function shellWords(shell: string, command: string): readonly string[] {
  return [shell, '--noprofile', '--norc', '-c', '--', command]
}

interface OutputCapture {
  note(text: string): void
  result(): Pick<GuardedResult, 'stdout' | 'stderr' | 'isTruncated' | 'outputBytes' | 'outputHash'>
}

function listen(
  child: ChildProcess,
  outputLimit: number,
  onOutput: GuardedOptions['onOutput'],
): OutputCapture {
  const hash = createHash('sha256')
  const kept: Record<'stdout' | 'stderr', Buffer[]> = { stdout: [], stderr: [] }
  const sizes = { stdout: 0, stderr: 0 }
  let outputBytes = 0
  const take = (stream: 'stdout' | 'stderr') => (chunk: Buffer) => {
    hash.update(chunk)
    outputBytes += chunk.length
    const room = outputLimit - sizes[stream]
    if (room > 0) kept[stream].push(chunk.subarray(0, room))
    sizes[stream] += chunk.length
    onOutput?.(chunk, stream)
  }
  child.stdout?.on('data', take('stdout'))
  child.stderr?.on('data', take('stderr'))
  return {
    note: (text) => kept.stderr.push(Buffer.from(text)),
    result: () => ({
      stdout: Buffer.concat(kept.stdout).toString('utf8'),
      stderr: Buffer.concat(kept.stderr).toString('utf8'),
      isTruncated: sizes.stdout > outputLimit || sizes.stderr > outputLimit,
      outputBytes,
      outputHash: hash.digest('hex'),
    }),
  }
}

const signalBase = 128
const killed = 9

function exitOf(child: ChildProcess, heard: OutputCapture): Promise<number> {
  return new Promise((resolve) => {
    child.on('exit', (code) => resolve(code ?? signalBase + killed))
    child.on('error', (fault) => {
      heard.note(`statewright: the command could not be started (${fault.message})\n`)
      resolve(127)
    })
  })
}

const drainMs = 1000

/** Waits for what is still in the pipes; anyone who kept them open has been ended. */
async function drained(child: ChildProcess): Promise<void> {
  if (child.pid === undefined) return
  await new Promise<void>((resolve) => {
    const timer = setTimeout(resolve, drainMs)
    const done = () => {
      clearTimeout(timer)
      resolve()
    }
    if (child.stdout?.closed === true && child.stderr?.closed === true) done()
    else child.once('close', done)
  })
  child.stdout?.destroy()
  child.stderr?.destroy()
}
