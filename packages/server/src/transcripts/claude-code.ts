import { basename, dirname, join } from 'node:path'
import { isJsonObject, type JsonObject } from '@statewright/core/internal'
import { goesOn, isOurServer } from '../clients/claude-tools.ts'
import { findFiles } from './find-files.ts'
import { transcriptLimits } from './limits.ts'
import { mergeByTime } from './merge.ts'
import { idOf, isTooDeep, outputFacts, parseLine, timeOf, wordsOf } from './parse-line.ts'
import { readLines } from './read-lines.ts'
import type {
  FoundTranscript,
  TranscriptEvent,
  TranscriptFile,
  TranscriptReader,
  TranscriptResult,
} from './transcript.ts'

const words = ['"tool_use"', '"tool_result"', '"type":"user"', '"type": "user"']
/** Transcripts of others, where all lie in one folder. */
const others = /^(?:rollout|session)-/
const agentFile = /^agent-([\w-]{1,100})\.jsonl$/

/**
 * `projects/<folder>/<session>.jsonl`, a line for each message; sub-agents write
 * `<session>/subagents/agent-<id>.jsonl` beside it.
 */
export const claudeCode: TranscriptReader = {
  client: 'claude-code',
  folder: ({ home, variables }) =>
    join(variables.CLAUDE_CONFIG_DIR || join(home, '.claude'), 'projects'),
  find,
  read: ({ path, agents = [] }) =>
    mergeByTime([readOne(path), ...agents.map((one) => readOne(one.path, one.agent))]),
}

async function* find(folder: string, since: number): AsyncGenerator<FoundTranscript> {
  const sessions = new Map<string, TranscriptFile>()
  const agents = new Map<string, { readonly path: string; readonly agent: string }[]>()
  for await (const found of findFiles(folder, isOurs)) {
    if ('skipped' in found) {
      yield found
      continue
    }
    const { path, stat } = found
    const agent = agentFile.exec(basename(path))?.[1]
    if (agent !== undefined && basename(dirname(path)) === 'subagents') {
      const session = dirname(dirname(path))
      const known = agents.get(session) ?? []
      if (known.length < transcriptLimits.agents) agents.set(session, [...known, { path, agent }])
      else yield { skipped: { path, why: 'too many files' } }
      continue
    }
    if (stat.mtimeMs < since) continue
    const session = basename(path, '.jsonl')
    sessions.set(path, {
      ...{ client: 'claude-code', path, session, bytes: stat.size },
      ...{ startedAt: stat.birthtimeMs, modifiedAt: stat.mtimeMs },
    })
  }
  for (const [path, file] of sessions) {
    const own = agents.get(path.slice(0, -'.jsonl'.length))
    yield { file: own === undefined ? file : { ...file, agents: own } }
  }
}

function isOurs(name: string): boolean {
  return name.endsWith('.jsonl') && !others.test(name)
}

async function* readOne(path: string, agent?: string): AsyncGenerator<TranscriptEvent> {
  let at = 0
  for await (const read of readLines(path)) {
    const parsed = parseLine(read, words)
    if (parsed === undefined) continue
    if ('unreadable' in parsed) {
      yield parsed.unreadable
      continue
    }
    at = timeOf(parsed.value.timestamp, at)
    yield* eventsOf(parsed.value, { at, line: read.line, ...(agent ? { agent } : {}) })
  }
}

interface Where {
  readonly at: number
  readonly line: number
  readonly agent?: string
}

function eventsOf(value: JsonObject, where: Where): TranscriptEvent[] {
  const { type, message } = value
  if (!isJsonObject(message)) return []
  const { content } = message
  if (type === 'assistant') return blocksOf(content).flatMap((one) => callOf(one, value, where))
  if (type !== 'user') return []
  const results = blocksOf(content).filter((block) => block.type === 'tool_result')
  if (results.length > 0) return results.flatMap((one) => resultOf(one, value, where.at))
  return promptOf(content, value, where)
}

function callOf(block: JsonObject, line: JsonObject, where: Where): TranscriptEvent[] {
  const id = idOf(block.id)
  const { name: tool, input } = block
  if (block.type !== 'tool_use' || id === undefined || typeof tool !== 'string') return []
  // What a guarded session said to us is no call of its work.
  if (isOurServer(tool, undefined, {})) return []
  if (isTooDeep(input)) return [{ kind: 'unreadable', line: where.line, why: 'nested too deeply' }]
  const agent = where.agent ?? agentIn(line)
  const cwd = typeof line.cwd === 'string' ? { cwd: line.cwd } : {}
  return [{ kind: 'call', at: where.at, id, tool, input, ...cwd, ...(agent ? { agent } : {}) }]
}

/** Older versions wrote what sub-agents did into the file of the session. */
function agentIn(line: JsonObject): string | undefined {
  if (line.isSidechain !== true) return undefined
  return idOf(line.agentId) ?? 'sub-agent'
}

function resultOf(block: JsonObject, line: JsonObject, at: number): TranscriptEvent[] {
  const id = idOf(block.tool_use_id)
  if (id === undefined) return []
  // A command in the background has no end yet; one that was broken off proves nothing.
  const exit = block.is_error === true ? 'failure' : goesOn(line.toolUseResult) ? null : 'success'
  const before = beforeOf(line.toolUseResult)
  return [{ kind: 'result', at, id, exit, ...outputFacts(wordsOf(block.content)), ...before }]
}

function beforeOf(response: unknown): Pick<TranscriptResult, 'before'> {
  if (!isJsonObject(response)) return {}
  const { filePath: path, originalFile: text } = response
  const isKnown = typeof text === 'string' || text === null
  return typeof path === 'string' && isKnown ? { before: { path, text } } : {}
}

function promptOf(content: unknown, line: JsonObject, { at, agent }: Where): TranscriptEvent[] {
  if (agent !== undefined || line.isSidechain === true || line.isMeta === true) return []
  const text = wordsOf(content)
  // The client's own words to the model stand in angle brackets.
  if (text === '' || text.startsWith('<')) return []
  return [{ kind: 'prompt', at, text: text.slice(0, transcriptLimits.promptLength) }]
}

function blocksOf(content: unknown): JsonObject[] {
  return Array.isArray(content) ? content.filter(isJsonObject) : []
}
