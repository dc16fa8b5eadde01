import { performance } from 'node:perf_hooks'
import type { Committed } from '../store.ts'
import type { BatchWrite } from './write-batch.ts'

interface Waiting {
  readonly write: BatchWrite
  readonly bytes: number
  readonly resolve: (committed: Committed) => void
  readonly reject: (fault: unknown) => void
}

export interface GroupOptions {
  /** All in one statement. */
  readonly sendTogether: (writes: readonly BatchWrite[]) => Promise<readonly Committed[]>
  /** One costs less alone. After a connection that was lost it may be written all the same. */
  readonly sendAlone: (write: BatchWrite, options: { wasTried: boolean }) => Promise<Committed>
  readonly isDoubtful: (fault: unknown) => boolean
  /** Whether the processor of this node is what its callers wait for; otherwise it is the disk. */
  readonly isBusy?: () => boolean
}

/** While one group waits for the disk of Postgres, the next are already on their way. */
const groupsAtOnce = 4
const maxSize = 64
const maxBytes = 1024 * 1024

/**
 * Writes that wait at the same time go out together: one statement, one transaction, one wait for
 * the disk. A write that finds nobody in its way waits for nobody but those that came with it. A
 * busy node sends one group after the other, and waits for the calls that are about to be judged:
 * groups are larger then, and cost less for each write.
 */
export class WriteGroups {
  readonly #options: GroupOptions
  readonly #isBusy: () => boolean
  #waiting: Waiting[] = []
  #underWay = 0
  #isDue = false
  #looks = 0
  /** A group waits for a look that was under way, and for no other. */
  #hold: 'none' | 'waits' | 'has_waited' = 'none'

  constructor(options: GroupOptions) {
    this.#options = options
    this.#isBusy = options.isBusy ?? busyLoop()
  }

  submit(write: BatchWrite): Promise<Committed> {
    const { promise, resolve, reject } = Promise.withResolvers<Committed>()
    this.#waiting.push({ write, bytes: bytesOf(write), resolve, reject })
    this.#sendSoon()
    return promise
  }

  /** Tells of a look at the database by which others will be judged, whose writes come then. */
  async afterLook<Value>(look: Promise<Value>): Promise<Value> {
    this.#looks += 1
    try {
      return await look
    } finally {
      this.#looks -= 1
      if (this.#hold === 'waits') {
        this.#hold = 'has_waited'
        this.#sendSoon()
      }
    }
  }

  /** Once all that has come from the network is judged: it came in the same moment. */
  #sendSoon(): void {
    if (this.#isDue) return
    this.#isDue = true
    setImmediate(() => {
      this.#isDue = false
      this.#send()
    })
  }

  #send(): void {
    if (this.#hold === 'waits') return
    if (this.#hold === 'none' && this.#looks > 0 && this.#isBusy()) {
      this.#hold = 'waits'
      return
    }
    while (this.#waiting.length > 0 && this.#underWay < this.#maxUnderWay()) {
      this.#hold = 'none'
      void this.#carryOut(this.#takeGroup())
    }
  }

  #maxUnderWay(): number {
    return this.#isBusy() ? 1 : groupsAtOnce
  }

  /** The oldest, at most one of each run: a second one is about what the first leaves. */
  #takeGroup(): readonly Waiting[] {
    const taken = new Map<string, Waiting>()
    const left: Waiting[] = []
    let bytes = 0
    for (const one of this.#waiting) {
      const { runId } = one.write
      bytes += one.bytes
      const hasRoom = taken.size === 0 || (taken.size < maxSize && bytes <= maxBytes)
      if (hasRoom && left.length === 0 && !taken.has(runId)) taken.set(runId, one)
      else left.push(one)
    }
    this.#waiting = left
    return [...taken.values()]
  }

  async #carryOut(group: readonly Waiting[]): Promise<void> {
    this.#underWay += 1
    await this.#write(group)
    this.#underWay -= 1
    if (this.#waiting.length > 0) this.#sendSoon()
  }

  /** Every one has its end when this resolves. */
  async #write(group: readonly Waiting[]): Promise<void> {
    if (group.length === 1) return this.#writeAlone(group, { wasTried: false })
    const { sendTogether, isDoubtful } = this.#options
    try {
      const ends = await sendTogether(group.map(({ write }) => write))
      for (const [at, { resolve, reject }] of group.entries()) {
        const end = ends[at]
        if (end === undefined) reject(new Error('bug: a write of a group has no answer'))
        else resolve(end)
      }
    } catch (fault) {
      if (isDoubtful(fault)) return this.#writeAlone(group, { wasTried: true })
      // One that Postgres refuses must harm no other: it is looked for by halves.
      const half = Math.ceil(group.length / 2)
      await this.#write(group.slice(0, half))
      await this.#write(group.slice(half))
    }
  }

  async #writeAlone(group: readonly Waiting[], options: { wasTried: boolean }): Promise<void> {
    const { sendAlone } = this.#options
    await Promise.all(
      group.map(({ write, resolve, reject }) => sendAlone(write, options).then(resolve, reject)),
    )
  }
}

/** Roughly: what is long in a batch. */
function bytesOf({ batch }: BatchWrite): number {
  let bytes = batch.snapshot?.length ?? 0
  for (const { entry } of batch.entries) bytes += entry.length
  for (const { text } of batch.blobs) bytes += text.length
  return bytes
}

/** Long enough to be more than chance, short enough to follow a load that comes and goes. */
const lookedAtMs = 50
const busyShare = 0.25

function busyLoop(): () => boolean {
  let last = performance.eventLoopUtilization()
  let lastAt = performance.now()
  let isBusy = false
  return () => {
    const now = performance.now()
    if (now - lastAt < lookedAtMs) return isBusy
    const next = performance.eventLoopUtilization()
    isBusy = performance.eventLoopUtilization(next, last).utilization > busyShare
    last = next
    lastAt = now
    return isBusy
  }
}
