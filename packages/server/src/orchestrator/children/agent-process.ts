import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { setTimeout as pause } from 'node:timers/promises'
import { endTree, markName, newMark } from '../../sandbox/end-tree.ts'
import { BoundedOutput } from '../../tools/bounded-output.ts'

export interface AgentProcessWish {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Who ends it when we are killed meanwhile. */
  readonly owner?: string | undefined
  /** Nobody wants it any more, also before it has said a word. */
  readonly unwanted?: AbortSignal
}

/** What is kept of its complaints, to tell why it ended. */
const complaintBytes = 8 * 1024
const politeMs = 2000
/** How long an agent may take until its first answer. */
const greetingMs = 60_000
/** How long the last words of an agent that ended may be on their way. */
const lastWordsMs = 1000

/** An agent that did not start; the message says why, and what a person can do (SE-2a). */
export class AgentStartFault extends Error {
  constructor(program: string, why: string) {
    super(`${program} did not start: ${why}. Run it by hand to see that it works, then try again.`)
  }
}

/** A coding agent that runs beside us and talks over its standard streams. */
export class AgentProcess {
  readonly child: ChildProcess
  /** Its exit code, when it and everything it started are gone. */
  readonly gone: Promise<number | null>
  readonly #program: string
  readonly #mark: string
  readonly #complaints = new BoundedOutput(complaintBytes)

  private constructor(child: ChildProcess, program: string, mark: string) {
    this.child = child
    this.#program = program
    this.#mark = mark
    child.stderr?.on('data', (chunk: Buffer) => this.#complaints.add(chunk))
    // Anyone who writes to an agent that has just ended is told by `gone`.
    child.stdin?.on('error', () => {})
    this.gone = new Promise((resolve) => {
      child.once('exit', (code) => {
        // What it left in the background must not go on without a guard.
        this.kill()
        // Why it ended is often still on its way when it has.
        child.once('close', () => resolve(code))
        setTimeout(() => resolve(code), lastWordsMs).unref()
      })
    })
  }

  /** Resolves when it runs; rejects when it cannot be started. */
  static start(wish: AgentProcessWish): Promise<AgentProcess> {
    const { argv, cwd, environment, owner, unwanted } = wish
    const [program, ...args] = argv
    const mark = newMark(owner)
    return new Promise((resolve, reject) => {
      const child = spawn(program, args, {
        cwd,
        env: { ...environment, [markName]: mark },
        stdio: ['pipe', 'pipe', 'pipe'],
        // A group of its own, so that all of it can be ended at once.
        detached: true,
      })
      child.once('error', (fault) => reject(new AgentStartFault(program, spawnFault(fault, cwd))))
      child.once('spawn', () => {
        const started = new AgentProcess(child, program, mark)
        if (unwanted?.aborted === true) started.kill()
        unwanted?.addEventListener('abort', () => started.kill(), { once: true })
        resolve(started)
      })
    })
  }

  /** Waits for its first answer: an agent that ends before it, or gives none, did not start. */
  async greeted<Answer>(greeting: Promise<Answer>): Promise<Answer> {
    const ended = this.gone.then((code) => Promise.reject(new Error(`it ended with ${code}`)))
    const silent = pause(greetingMs, undefined, { ref: false }).then(() =>
      Promise.reject(new Error(`it gave no answer within ${greetingMs / 1000} seconds`)),
    )
    try {
      return await Promise.race([greeting, ended, silent])
    } catch (fault) {
      // Its streams end a moment before it does, and how it ended says more.
      const last = await Promise.race([ended, pause(lastWordsMs)]).catch((end: unknown) => end)
      this.kill()
      await this.gone
      const reason = last ?? fault
      const why = reason instanceof Error ? reason.message : String(reason)
      const complaints = this.complaints.slice(-500)
      throw new AgentStartFault(this.#program, complaints === '' ? why : `${why} (${complaints})`)
    }
  }

  get complaints(): string {
    return this.#complaints.text().trim()
  }

  /** Closes its input and asks it to end; what is still there after a while is killed. */
  async stop(): Promise<number | null> {
    this.child.stdin?.end()
    this.child.kill('SIGTERM')
    const timer = setTimeout(() => this.kill(), politeMs)
    const code = await this.gone
    clearTimeout(timer)
    return code
  }

  /** Kills it with everything it started. */
  kill(): void {
    if (this.child.pid !== undefined) endTree(this.child.pid, this.#mark)
  }
}

function spawnFault(fault: Error, cwd: string): string {
  const code = 'code' in fault ? fault.code : undefined
  // The system calls a missing folder and a missing program by the same name.
  if (!existsSync(cwd)) return `the folder ${cwd} was not found`
  if (code === 'ENOENT') return 'the program was not found in the PATH of the server'
  if (code === 'EACCES') return 'the program may not be run'
  return fault.message
}
