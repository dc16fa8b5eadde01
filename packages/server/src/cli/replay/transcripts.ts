import { existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { outcomeOfReport, type Problem } from '@statewright/core/internal'
import { configuredPrograms } from '../../config/configured-programs.ts'
import { type CodingClientName, transcriptClients } from '../../transcripts/clients.ts'
import { transcriptReaders } from '../../transcripts/readers.ts'
import { orRefuse, refuse } from '../command.ts'
import { type Progress, playTranscripts, type TranscriptSource } from './play-transcripts.ts'
import { printReport } from './print-report.ts'
import { openProgress } from './progress.ts'
import {
  formatOf,
  type ReplayOptions,
  replayExits,
  stoppedExit,
  stopSign,
} from './replay-options.ts'
import { replayRules } from './rules.ts'
import { readSince } from './since.ts'

/** `statewright replay --claude-code …`: no server, nothing installed, nothing changed. */
export async function replayTranscripts(options: ReplayOptions): Promise<void> {
  const rules = orRefuse(replayRules(options))
  const since = orRefuse(readSince(options.since, Date.now()))
  const limit = limitOf(options.limit)
  const programs = orRefuse(configuredPrograms(process.cwd(), process.env))
  const format = formatOf(options)
  const { sources, name } = sourcesOf(options)
  const stop = stopSign()
  const progress = openProgress(process.stderr)
  const showProgress = ({ sessions, of, calls }: Progress) =>
    progress.show('session', sessions, of, `, ${calls.toLocaleString('en')} calls`)
  const played = await playTranscripts({
    ...{ sources, rules, programs, since, isStopped: stop.isStopped, onProgress: showProgress },
    ...(options.here === true ? { here: process.cwd() } : {}),
    ...(limit === undefined ? {} : { limit }),
  })
  progress.close()
  stop.close()
  const { report, stopped } = played
  printReport(report, format, {
    ...{ rules, since, source: name, unit: 'session', foot },
    ...(stopped === undefined ? {} : { stopped }),
    folders: sources.map((one) => one.folder),
  })
  process.exitCode = stopped !== undefined ? stoppedExit : replayExits[outcomeOfReport(report)]
}

/** What no transcript tells, and how that was taken. */
const foot = [
  'Each session is played as one run; after its end a new prompt or edit begins the next.',
  'Not in a transcript: edits made by hand, files that a command changes without naming them,',
  'costs, and what a person would have answered (every question is taken as answered with yes).',
]

const words: Readonly<Record<CodingClientName, string>> = {
  'claude-code': 'Claude Code',
  codex: 'Codex',
  gemini: 'Gemini CLI',
  opencode: 'opencode',
}

function sourcesOf(options: ReplayOptions): {
  readonly sources: readonly TranscriptSource[]
  readonly name: string
} {
  const { claudeCode, codex, gemini, opencode, transcripts } = options
  const isChosen = { 'claude-code': claudeCode, codex, gemini, opencode }
  const chosen = transcriptClients.filter((client) => isChosen[client] === true)
  if (chosen.length === 0 && transcripts === undefined) return refuse(nothingChosen)
  if (transcripts !== undefined && !existsSync(transcripts)) return refuse(notThere(transcripts))
  const clients = chosen.length === 0 ? transcriptClients : chosen
  const environment = { home: homedir(), variables: process.env }
  const sources = clients.map((client): TranscriptSource => {
    const reader = transcriptReaders[client]
    return { reader, folder: transcripts ?? reader.folder(environment) }
  })
  const name =
    chosen.length === 0 ? String(transcripts) : chosen.map((one) => words[one]).join(', ')
  return { sources, name }
}

const nothingChosen: Problem = {
  code: 'usage',
  message: 'The command does not say what to replay.',
  where: 'replay',
  next: 'add --claude-code, --codex, --gemini or --opencode, or --transcripts with a folder.',
}

function notThere(where: string): Problem {
  const message = 'There is no such folder or file.'
  return { code: 'file_unreadable', message, where, next: 'check the path after --transcripts.' }
}

function limitOf(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const limit = /^\d{1,9}$/.test(text) ? Number(text) : 0
  if (limit > 0) return limit
  return refuse({
    code: 'usage',
    message: `"${text.slice(0, 40)}" is not a number of sessions.`,
    where: '--limit',
    next: 'use a whole number, at least 1.',
  })
}
