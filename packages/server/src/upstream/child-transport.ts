import { type ChildProcess, spawn } from 'node:child_process'
import {
  type JSONRPCMessage,
  parseJSONRPCMessage,
  type Transport,
} from '@modelcontextprotocol/client'
import type { Line, LineRequest, PendingAnswer } from './line.ts'
import { FloodError, MessageLines } from './message-lines.ts'
import { upstreamLimits } from './spec.ts'

export interface ChildOptions {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  /** Told what the child says on standard error. */
  readonly onErrorText?: (text: string) => void
}

/**
 * An MCP server as a child of ours. It leads a process group of its own, so that what it started
 * ends with it, and what it sends is bounded.
 */
export class ChildTransport implements Transport, Line {
  readonly needsCancelling = true
  onclose?: () => void
  onerror?: (error: Error) => void
  onmessage?: <Message extends JSONRPCMessage>(message: Message) => void
  readonly #options: ChildOptions
  #child: ChildProcess | undefined
  #isClosed = false
  /** What the server has sent in this turn of the event loop: one kind only. */
  #handed: 'answer' | 'report' | undefined
  #waiting: JSONRPCMessage[] = []
  /** Requests that the protocol's library knows nothing of. */
  readonly #pending = new Map<unknown, PromiseWithResolvers<unknown>>()

  constructor(options: ChildOptions) {
    this.#options = options
  }

  get pid(): number | undefined {
    return this.#child?.pid
  }

  start(): Promise<void> {
    const { command, args, env, cwd, onErrorText } = this.#options
    return new Promise((resolve, reject) => {
      const child = spawn(command, [...args], {
        env: { ...env },
        cwd,
        stdio: ['pipe', 'pipe', 'pipe'],
        detached: process.platform !== 'win32',
        windowsHide: true,
      })
      this.#child = child
      live.add(this)
      const lines = new MessageLines((line) => this.#take(line), Date.now)
      child.once('spawn', resolve)
      child.once('error', (fault) => {
        reject(fault)
        this.#end()
      })
      child.once('exit', () => this.#end())
      child.stdin.on('error', (fault) => this.onerror?.(fault))
      child.stderr.on('data', (chunk: Buffer) => onErrorText?.(chunk.toString('utf8')))
      child.stdout.on('data', (chunk: Buffer) => {
        try {
          if (!this.#isClosed) lines.take(chunk)
        } catch (fault) {
          this.#cutOff(fault)
        }
      })
    })
  }

  async send(message: JSONRPCMessage): Promise<void> {
    this.#write(message)
  }

  ask(request: LineRequest): PendingAnswer {
    const pending = Promise.withResolvers<unknown>()
    const { id } = request
    this.#pending.set(id, pending)
    try {
      this.#write(request)
    } catch (fault) {
      this.#pending.delete(id)
      pending.reject(fault)
    }
    return { answer: pending.promise, cancel: () => void this.#pending.delete(id) }
  }

  #write(message: object): void {
    const stdin = this.#child?.stdin
    if (this.#isClosed || stdin === null || stdin === undefined || !stdin.writable) {
      throw new Error('the server has ended')
    }
    if (!stdin.write(`${JSON.stringify(message)}\n`) && stdin.writableLength > maxUnread) {
      // A child that reads nothing would let our memory grow with every call.
      this.#cutOff(new FloodError('the server does not read its input'))
      throw new Error('the server does not read its input')
    }
  }

  async close(): Promise<void> {
    const child = this.#child
    if (child === undefined || child.exitCode !== null || child.signalCode !== null) {
      this.#end()
      return
    }
    const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()))
    child.stdin?.end()
    this.#signal('SIGTERM')
    const timer = setTimeout(() => this.#signal('SIGKILL'), upstreamLimits.graceMs)
    await ended
    clearTimeout(timer)
    this.#end()
  }

  #take(line: string): void {
    let message: JSONRPCMessage
    try {
      const value: unknown = JSON.parse(line)
      // Anyone who asked looks at it; no answer to the library has such an id.
      message = this.#isPending(value) ? value : parseJSONRPCMessage(value)
    } catch (fault) {
      // Servers print greetings where only messages belong; one line is no reason to give up.
      this.onerror?.(fault instanceof Error ? fault : new Error(String(fault)))
      return
    }
    this.#deliver(message)
  }

  #isPending(value: unknown): value is JSONRPCMessage {
    if (this.#pending.size === 0 || typeof value !== 'object' || value === null) return false
    return 'id' in value && !('method' in value) && this.#pending.has(value.id)
  }

  /** To anyone who asked, or to the library. */
  #hand(message: JSONRPCMessage): void {
    const id = 'id' in message && !('method' in message) ? message.id : undefined
    const pending = this.#pending.get(id)
    if (pending === undefined) {
      this.onmessage?.(message)
      return
    }
    this.#pending.delete(id)
    pending.resolve(message)
  }

  /**
   * Keeps the order between answers and all else that a server sends. Both are handled some steps
   * after they arrive: a progress that came with an answer would no longer find the call that it
   * speaks of, and a question that came with one would still find it.
   */
  #deliver(message: JSONRPCMessage): void {
    const kind = 'method' in message ? 'report' : 'answer'
    const isOther = this.#handed !== undefined && this.#handed !== kind
    if (this.#waiting.length > 0 || isOther) {
      this.#waiting.push(message)
      return
    }
    this.#hand(message)
    if (this.#handed === kind) return
    this.#handed = kind
    setImmediate(() => this.#deliverWaiting())
  }

  #deliverWaiting(): void {
    this.#handed = undefined
    const waiting = this.#waiting
    this.#waiting = []
    for (const message of waiting) this.#deliver(message)
  }

  #cutOff(fault: unknown): void {
    this.onerror?.(fault instanceof Error ? fault : new Error(String(fault)))
    this.#signal('SIGKILL')
    this.#end()
  }

  /** For the end of our own process, which waits for nobody. */
  kill(): void {
    this.#signal('SIGKILL')
  }

  #signal(signal: NodeJS.Signals): void {
    const pid = this.#child?.pid
    if (pid === undefined) return
    try {
      process.kill(process.platform === 'win32' ? pid : -pid, signal)
    } catch {
      // The group is gone already.
    }
  }

  #end(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    for (const message of this.#waiting.splice(0)) this.#hand(message)
    for (const pending of this.#pending.values()) pending.reject(new Error('Connection closed'))
    this.#pending.clear()
    // Whatever the child left behind in its group ends with it.
    this.#signal('SIGKILL')
    live.delete(this)
    this.onclose?.()
  }
}

/** Children lead groups of their own: nothing else ends them when we leave at once. */
const live = new Set<ChildTransport>()
process.on('exit', () => {
  for (const one of live) one.kill()
})

const maxUnread = 32 * 1024 * 1024
