import { type ChildProcess, spawn } from 'node:child_process'
import { endTree, markName, newMark } from '../../sandbox/end-tree.ts'
import { BoundedOutput } from './bounded-output.ts'

export interface AgentProcessWish {
  readonly argv: readonly [string, ...string[]]
  readonly cwd: string
  readonly environment: Readonly<Record<string, string>>
  /** Who ends it when we are killed meanwhile. */
  readonly owner?: string | undefined
}

/** What is kept of its complaints, to tell why it ended. */
const complaintBytes = 8 * 1024
const politeMs = 2000

/** A coding agent that runs beside us and talks over its standard streams. */
export class AgentProcess {
  readonly child: ChildProcess
  /** Its exit code, when it and everything it started are gone. */
  readonly gone: Promise<number | null>
  readonly #mark: string
  readonly #complaints = new BoundedOutput(complaintBytes)

  private constructor(child: ChildProcess, mark: string) {
    this.child = child
    this.#mark = mark
    child.stderr?.on('data', (chunk: Buffer) => this.#complaints.add(chunk))
    // Whoever writes to an agent that has just ended is told by `gone`.
    child.stdin?.on('error', () => {})
    this.gone = new Promise((resolve) => {
      child.once('exit', (code) => {
        // What it left in the background must not go on without a guard.
        this.kill()
        resolve(code)
      })
    })
  }

  /** Resolves when it runs; rejects when it cannot be started. */
  static start({ argv, cwd, environment, owner }: AgentProcessWish): Promise<AgentProcess> {
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
      child.once('error', reject)
      child.once('spawn', () => resolve(new AgentProcess(child, mark)))
    })
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
