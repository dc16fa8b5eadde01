import { relative, resolve } from 'node:path'
import {
  ObedientAgent,
  oneLine,
  openReport,
  type ProgramTable,
  type ReplayReport,
  type ReportCounter,
  unreachable,
} from '@statewright/core/internal'
import { redactText } from '../../base/redact.ts'
import type {
  TranscriptCall,
  TranscriptFile,
  TranscriptReader,
} from '../../transcripts/transcript.ts'
import { type AheadEvent, lookAhead } from './look-ahead.ts'
import type { ReplayRules } from './rules.ts'
import { transcribe } from './transcribe.ts'

export interface TranscriptSource {
  readonly reader: TranscriptReader
  readonly folder: string
}

export interface PlayOptions {
  readonly sources: readonly TranscriptSource[]
  readonly rules: ReplayRules
  readonly programs: ProgramTable
  /** What happened before is played and not counted. */
  readonly since: number
  /** Only sessions that began in this folder, or below it. */
  readonly here?: string
  /** So many sessions, the newest. */
  readonly limit?: number
  readonly isStopped: () => boolean
  readonly onProgress: (progress: Progress) => void
}

export interface Progress {
  readonly sessions: number
  readonly of: number
  readonly calls: number
}

export interface PlayedTranscripts {
  readonly report: ReplayReport
  /** Somebody stopped it: so many sessions were not looked at, and perhaps a part of one more. */
  readonly stopped?: { readonly left: number }
}

const messageLength = 600

/** Reads the transcripts one after the other, the newest first, and plays each. */
export async function playTranscripts(options: PlayOptions): Promise<PlayedTranscripts> {
  const report = openReport()
  const files = await findAll(options, report)
  let [sessions, calls] = [0, 0]
  for (const { file, reader } of files) {
    if (options.isStopped()) break
    sessions += 1
    const onCall = () => {
      calls += 1
      options.onProgress({ sessions, of: files.length, calls })
    }
    await playOne(file, reader, options, report, onCall)
  }
  const stopped = options.isStopped() ? { stopped: { left: files.length - sessions } } : {}
  return { report: report.finish(), ...stopped }
}

interface ReadableTranscript {
  readonly file: TranscriptFile
  readonly reader: TranscriptReader
}

async function findAll(options: PlayOptions, report: ReportCounter): Promise<ReadableTranscript[]> {
  const files: ReadableTranscript[] = []
  for (const { reader, folder } of options.sources) {
    for await (const found of reader.find(folder, options.since)) {
      if ('file' in found) files.push({ file: found.file, reader })
      else report.note(`Files left alone (${found.skipped.why})`)
    }
  }
  const newest = files.toSorted((left, right) => right.file.modifiedAt - left.file.modifiedAt)
  return newest.slice(0, options.limit ?? newest.length)
}

async function playOne(
  file: TranscriptFile,
  reader: TranscriptReader,
  options: PlayOptions,
  report: ReportCounter,
  onCall: () => void,
): Promise<void> {
  const session = new PlayedSession(file, options, report, onCall)
  for await (const ahead of lookAhead(reader.read(file))) {
    if (options.isStopped() || !session.take(ahead)) break
  }
  session.finish()
}

/** One session: its run begins with its first call, in the folder that it was made in. */
class PlayedSession {
  readonly #file: TranscriptFile
  readonly #options: PlayOptions
  readonly #report: ReportCounter
  readonly #onCall: () => void
  #agent: ObedientAgent | undefined
  #root = ''
  #task: { readonly at: number; readonly text: string } | undefined
  #index = 0

  constructor(
    file: TranscriptFile,
    options: PlayOptions,
    report: ReportCounter,
    onCall: () => void,
  ) {
    this.#file = file
    this.#options = options
    this.#report = report
    this.#onCall = onCall
  }

  /** False where the rest of the session does not matter. */
  take({ event, textBefore }: AheadEvent): boolean {
    switch (event.kind) {
      case 'unreadable':
        this.#report.note(`Lines left out (${event.why})`)
        return true
      case 'prompt':
        this.#task = event
        this.#agent?.prompt(event.at, event.text)
        return true
      case 'result':
        this.#agent?.result(event)
        return true
      case 'call':
        return this.#call(event, textBefore)
      default:
        return unreachable(event)
    }
  }

  finish(): void {
    const agent = this.#agent
    if (agent === undefined) return
    this.#report.addRun()
    const { approvals, claims } = agent.moves
    if (approvals > 0) this.#report.note(questions, approvals)
    for (const field of claims) this.#report.note(`${reported} ${field}`)
  }

  #call(event: TranscriptCall, textBefore: AheadEvent['textBefore']): boolean {
    const agent = this.#agent ?? this.#begin(event)
    if (agent === undefined) return false
    const { client, session, path } = this.#file
    const { rules, programs, since } = this.#options
    const program = rules.programFor(this.#root)
    const where = { client, root: this.#root, program, programs, textBefore }
    const { request: call, program: name, shown } = transcribe(event, where)
    const answer = agent.call(call)
    if (answer === undefined) return true
    this.#index += 1
    this.#onCall()
    if (event.at < since) return true
    const { kind, state, code, path: rule, message, missing } = answer
    if (kind === 'allow' && (call.unknownText?.length ?? 0) > 0) this.#report.note(asNew)
    this.#report.add({
      ...{ run: session, index: this.#index, at: event.at, tool: event.tool, program: name, shown },
      ...{ before: null, after: kind, state, link: path },
      ...(code === undefined ? {} : { code }),
      ...(rule === undefined ? {} : { path: rule }),
      ...(message === undefined ? {} : { message: oneLine(redactText(message), messageLength) }),
      ...(missing === undefined ? {} : { missing }),
    })
    return true
  }

  #begin({ cwd = this.#file.cwd }: TranscriptCall): ObedientAgent | undefined {
    const { here, rules } = this.#options
    if (here !== undefined && (cwd === undefined || !isWithin(cwd, here))) return undefined
    this.#root = cwd ?? '/'
    this.#agent = new ObedientAgent(rules.programFor(this.#root))
    if (this.#task !== undefined) this.#agent.prompt(this.#task.at, this.#task.text)
    return this.#agent
  }
}

const questions = 'Questions that a person would have been asked on the way'
const reported = 'Sessions in which the agent would have had to report'
const asNew = 'Edits whose lines were counted without the text that was there before'

function isWithin(folder: string, outer: string): boolean {
  const path = relative(resolve(outer), resolve(folder))
  return path === '' || !(path.startsWith('..') || path.startsWith('/'))
}
