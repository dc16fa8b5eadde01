import { type ChildProcessByStdio, spawn } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Readable, Writable } from 'node:stream'
import { buildFolder, type FuzzFolder } from './fuzz-folder.ts'
import { mayRunUncaged } from './screen.ts'

/** What bash did with one line. */
export interface Outcome {
  readonly line: string
  /** Programs that were started or looked for, by the name that was used. */
  readonly programs: readonly string[]
  /** Files that were made or changed in the folder of the line. */
  readonly files: readonly string[]
  readonly stderr: string
  /** The launcher died with this line, so nothing is known of it. */
  readonly isLost: boolean
}

/** Files that every line finds, so that globs match and reads succeed; no script does anything. */
const given: Readonly<Record<string, string>> = { 'a.txt': '#a b\n', b: '#q9\n' }
const patienceMs = 15_000
const longestLine = 20_000

/** Runs lines in one launcher, which it starts again when a line took it down. */
export class Runner {
  readonly #isCaged: boolean
  #folder: FuzzFolder
  #child: ChildProcessByStdio<Writable, Readable, null> | undefined
  #count = 0

  constructor(isCaged: boolean) {
    this.#isCaged = isCaged
    this.#folder = buildFolder(isCaged)
  }

  /** Lines that must not run here are answered as lost, whoever asks for them. */
  mayRun(line: string): boolean {
    if (line.includes('\0') || line.length > longestLine) return false
    return this.#isCaged || mayRunUncaged(line)
  }

  async run(lines: readonly string[]): Promise<Outcome[]> {
    const done = await this.#runAll(lines.filter((line) => this.mayRun(line)))
    let next = 0
    return lines.map((line) => (this.mayRun(line) ? (done[next++] ?? lost(line)) : lost(line)))
  }

  async #runAll(lines: readonly string[]): Promise<Outcome[]> {
    const outcomes: Outcome[] = []
    while (outcomes.length < lines.length) {
      const rest = lines.slice(outcomes.length)
      outcomes.push(...(await this.#runSome(rest)))
      const line = lines[outcomes.length]
      if (line === undefined) break
      outcomes.push(lost(line))
      this.#stop()
    }
    return outcomes
  }

  close(): void {
    this.#stop()
    rmSync(this.#folder.path, { recursive: true, force: true })
  }

  #stop(): void {
    this.#child?.kill('SIGKILL')
    this.#child = undefined
  }

  #start(): ChildProcessByStdio<Writable, Readable, null> {
    if (this.#child !== undefined) return this.#child
    const { path, program, args, env } = this.#folder
    // A session of its own leaves no terminal that a line could read from.
    const child = spawn(program, args, {
      cwd: path,
      env,
      detached: true,
      stdio: ['pipe', 'pipe', 'ignore'],
    })
    child.stdin.on('error', () => undefined)
    this.#child = child
    return child
  }

  /** Answers the outcomes up to the first line that the launcher did not survive. */
  #runSome(lines: readonly string[]): Promise<Outcome[]> {
    const child = this.#start()
    const outcomes: Outcome[] = []
    const first = this.#count
    this.#count += lines.length
    const fields: Buffer[] = []
    for (const [index, line] of lines.entries()) {
      this.#prepare(first + index)
      fields.push(Buffer.from(`${first + index}\0${line}\0`))
    }
    return new Promise((resolve) => {
      let pending = ''
      let timer = setTimeout(finish, patienceMs)
      let programs: string[] = []
      let stderr = ''
      const self = this
      child.stdout.setEncoding('utf8')
      child.stdout.on('data', read)
      child.once('exit', finish)
      child.once('error', finish)
      child.stdin.write(Buffer.concat(fields))

      function read(chunk: string): void {
        clearTimeout(timer)
        timer = setTimeout(finish, patienceMs)
        const pieces = (pending + chunk).split('\0')
        pending = pieces.pop() ?? ''
        for (const part of pieces) take(part.charAt(0), part.slice(1))
      }
      function take(tag: string, text: string): void {
        if (tag === 'R') programs = []
        if (tag === 'N') programs.push(text)
        if (tag === 'S') stderr = text
        if (tag !== 'E') return
        const index = outcomes.length
        const line = lines[index] ?? ''
        const files = self.#inspect(first + index)
        outcomes.push({ line, programs, files, stderr, isLost: false })
        if (outcomes.length === lines.length) finish()
      }
      function finish(): void {
        clearTimeout(timer)
        child.stdout.off('data', read)
        child.off('exit', finish)
        child.off('error', finish)
        resolve(outcomes)
      }
    })
  }

  #prepare(id: number): void {
    const folder = join(this.#folder.path, 'w', String(id))
    mkdirSync(folder)
    for (const [name, text] of Object.entries(given)) {
      const file = join(folder, name)
      writeFileSync(file, text)
      chmodSync(file, 0o666)
    }
    chmodSync(folder, 0o777)
  }

  /** The files that a line left behind; its folder goes away with that. */
  #inspect(id: number): string[] {
    const folder = join(this.#folder.path, 'w', String(id))
    const made = readdirSync(folder).filter((name) => {
      const text = given[name]
      return text === undefined || readFileSync(join(folder, name), 'utf8') !== text
    })
    const gone = Object.keys(given).filter((name) => !readdirSync(folder).includes(name))
    rmSync(folder, { recursive: true, force: true })
    return [...made, ...gone]
  }
}

function lost(line: string): Outcome {
  return { line, programs: [], files: [], stderr: '', isLost: true }
}

/** Whether lines can be locked in: it takes Linux, `unshare` and the right to make namespaces. */
export async function canCage(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  const runner = new Runner(true)
  try {
    const [outcome] = await runner.run(['r1; env r2; r3 <(:)'])
    return outcome?.isLost === false && outcome.programs.join() === 'r1,env,r2,r3'
  } finally {
    runner.close()
  }
}
