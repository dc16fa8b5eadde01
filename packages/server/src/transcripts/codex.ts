import { basename, join } from 'node:path'
import { BoundedMap, isJsonObject, type JsonObject } from '@statewright/core/internal'
import { findFiles } from './find-files.ts'
import { transcriptLimits } from './limits.ts'
import { idOf, isTooDeep, outputFacts, parseLine, timeOf, wordsOf } from './parse-line.ts'
import { readLines } from './read-lines.ts'
import type { FoundTranscript, TranscriptEvent, TranscriptReader } from './transcript.ts'

const words = [
  ...['_call"', '_call_output"', '"item_completed"', '"session_meta"', '"turn_context"'],
]
const rollout = /^rollout-.*?([0-9a-f]{8}-[0-9a-f-]{27})?\.jsonl$/

/** `sessions/<year>/<month>/<day>/rollout-<time>-<id>.jsonl`, a line for each item. */
export const codex: TranscriptReader = {
  client: 'codex',
  folder: ({ home, variables }) => join(variables.CODEX_HOME || join(home, '.codex'), 'sessions'),
  async *find(folder, since): AsyncGenerator<FoundTranscript> {
    for await (const found of findFiles(folder, (name) => rollout.test(name))) {
      if ('skipped' in found) yield found
      else if (found.stat.mtimeMs >= since) {
        const { path, stat } = found
        const session = rollout.exec(basename(path))?.[1] ?? basename(path, '.jsonl')
        const times = { startedAt: stat.birthtimeMs, modifiedAt: stat.mtimeMs }
        yield { file: { client: 'codex', path, session, bytes: stat.size, ...times } }
      }
    }
  },
  read: ({ path }) => readRollout(path),
}

async function* readRollout(path: string): AsyncGenerator<TranscriptEvent> {
  let at = 0
  let cwd: string | undefined
  // A command is told of twice: as an item with its exit code, and in words to the model.
  const ended = new BoundedMap<string, true>(transcriptLimits.rememberedCalls)
  for await (const read of readLines(path)) {
    const parsed = parseLine(read, words)
    if (parsed === undefined) continue
    if ('unreadable' in parsed) {
      yield parsed.unreadable
      continue
    }
    const { type, payload, timestamp } = parsed.value
    if (!isJsonObject(payload)) continue
    at = timeOf(timestamp, at)
    if (type === 'session_meta' || type === 'turn_context') {
      cwd = typeof payload.cwd === 'string' ? payload.cwd : cwd
      continue
    }
    const event = eventOf(payload, at)
    if (event === undefined) continue
    if (event.kind === 'result') {
      if (ended.has(event.id)) continue
      if (event.exit !== null) ended.set(event.id, true)
    }
    if (event.kind !== 'call') yield event
    else if (isTooDeep(event.input))
      yield { kind: 'unreadable', line: read.line, why: 'nested too deeply' }
    else yield cwd === undefined ? event : { ...event, cwd }
  }
}

function eventOf(payload: JsonObject, at: number): TranscriptEvent | undefined {
  switch (payload.type) {
    case 'function_call':
    case 'custom_tool_call':
      return callOf(payload, at)
    case 'function_call_output':
    case 'custom_tool_call_output':
      return outputOf(payload, at)
    case 'item_completed':
      return isJsonObject(payload.item) ? itemOf(payload.item, at) : undefined
    default:
      return undefined
  }
}

function callOf(payload: JsonObject, at: number): TranscriptEvent | undefined {
  const id = idOf(payload.call_id)
  const { name, namespace } = payload
  if (id === undefined || typeof name !== 'string') return undefined
  const input = payload.type === 'custom_tool_call' ? payload.input : argumentsOf(payload.arguments)
  // Looking at what a running command has written so far types nothing into it.
  if (name === 'write_stdin' && isJsonObject(input) && (input.chars ?? '') === '') return undefined
  if (namespace === 'mcp__statewright') return undefined
  return { kind: 'call', at, id, tool: fullName(name, namespace), input }
}

function fullName(name: string, namespace: unknown): string {
  if (typeof namespace !== 'string' || namespace === '') return name
  return namespace.startsWith('mcp__') ? `${namespace}__${name}` : `${namespace}.${name}`
}

/** They are written as a text; one that cannot be read is judged as it stands. */
function argumentsOf(text: unknown): unknown {
  if (typeof text !== 'string') return text
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** The words to the model begin with how a command ended; what it printed stands behind them. */
function outputOf(payload: JsonObject, at: number): TranscriptEvent | undefined {
  const id = idOf(payload.call_id)
  if (id === undefined) return undefined
  const text = wordsOf(payload.output)
  const [head = ''] = text.split(/^Output:/m, 1)
  const code = /^(?:Process exited with code|Exit code:) (-?\d+)$/m.exec(head)?.[1]
  const exit = code === undefined ? null : code === '0' ? 'success' : 'failure'
  return { kind: 'result', at, id, exit, ...outputFacts(text) }
}

function itemOf(item: JsonObject, at: number): TranscriptEvent | undefined {
  if (item.type === 'UserMessage') {
    const text = wordsOf(item.content).slice(0, transcriptLimits.promptLength)
    return text === '' ? undefined : { kind: 'prompt', at, text }
  }
  const id = idOf(item.id)
  if (id === undefined || !finishedItems.has(String(item.type))) return undefined
  const isWell =
    item.type === 'CommandExecution' ? item.exit_code === 0 : item.status === 'completed'
  const text = typeof item.aggregated_output === 'string' ? item.aggregated_output : ''
  return { kind: 'result', at, id, exit: isWell ? 'success' : 'failure', ...outputFacts(text) }
}

const finishedItems: ReadonlySet<string> = new Set([
  'CommandExecution',
  'FileChange',
  'McpToolCall',
])
