import { basename, dirname, join } from 'node:path'
import { BoundedMap, isJsonObject, type JsonObject } from '@statewright/core/internal'
import { readRegularText } from '../base/read-regular.ts'
import { findFiles } from './find-files.ts'
import { transcriptLimits } from './limits.ts'
import { idOf, isTooDeep, outputFacts, parseLine, timeOf, wordsOf } from './parse-line.ts'
import { readLines } from './read-lines.ts'
import type {
  FoundTranscript,
  TranscriptEvent,
  TranscriptReader,
  TranscriptResult,
} from './transcript.ts'

const words = ['"toolCalls"', '"type":"user"', '"type": "user"']
const chat = /^session-.+\.jsonl$/
const maxRootBytes = 4096

/** `tmp/<project>/chats/session-<time>-<id>.jsonl`; a message is written again as it grows. */
export const gemini: TranscriptReader = {
  client: 'gemini',
  folder: ({ home, variables }) => join(variables.GEMINI_CLI_HOME || home, '.gemini', 'tmp'),
  async *find(folder, since): AsyncGenerator<FoundTranscript> {
    for await (const found of findFiles(folder, (name) => chat.test(name))) {
      if ('skipped' in found) yield found
      else if (found.stat.mtimeMs >= since) {
        const { path, stat } = found
        const times = { startedAt: stat.birthtimeMs, modifiedAt: stat.mtimeMs }
        const cwd = projectOf(path)
        const facts = { path, session: basename(path, '.jsonl'), bytes: stat.size, ...times }
        yield { file: { client: 'gemini', ...facts, ...(cwd === undefined ? {} : { cwd }) } }
      }
    }
  },
  read: ({ path, cwd }) => readChat(path, cwd),
}

/** The folder that was worked in stands in a file of its own beside the chats. */
function projectOf(path: string): string | undefined {
  const text = readRegularText(join(dirname(dirname(path)), '.project_root'), maxRootBytes).trim()
  return text === '' || text.includes('\n') ? undefined : text
}

async function* readChat(path: string, cwd: string | undefined): AsyncGenerator<TranscriptEvent> {
  let at = 0
  const reported = new BoundedMap<string, true>(transcriptLimits.rememberedCalls)
  const isNew = (key: string) => {
    if (reported.has(key)) return false
    reported.set(key, true)
    return true
  }
  for await (const read of readLines(path)) {
    const parsed = parseLine(read, words)
    if (parsed === undefined) continue
    if ('unreadable' in parsed) {
      yield parsed.unreadable
      continue
    }
    const { value } = parsed
    at = timeOf(value.timestamp, at)
    if (value.type === 'user') {
      const text = wordsOf(value.content).slice(0, transcriptLimits.promptLength)
      if (text !== '' && !text.startsWith('<')) yield { kind: 'prompt', at, text }
    }
    const calls = Array.isArray(value.toolCalls) ? value.toolCalls.filter(isJsonObject) : []
    // The calls of one message were asked for together; their results came later.
    for (const call of calls) {
      const made = callOf(call, at)
      if (made === undefined || !isNew(`call ${made.id}`)) continue
      if (isTooDeep(made.input))
        yield { kind: 'unreadable', line: read.line, why: 'nested too deeply' }
      else yield cwd === undefined ? made : { ...made, cwd }
    }
    for (const call of calls) {
      const result = resultOf(call, at)
      if (result !== undefined && isNew(`result ${result.id}`)) yield result
    }
  }
}

function callOf(call: JsonObject, at: number) {
  const id = idOf(call.id)
  const { name, args, displayName } = call
  if (id === undefined || typeof name !== 'string') return undefined
  // The name runs server and tool together; what is shown to people tells them apart.
  const shown = typeof displayName === 'string' ? displayName : ''
  const [, tool, server] = /^(.+) \((.+) MCP Server\)$/.exec(shown) ?? []
  if (tool === undefined || server === undefined)
    return { kind: 'call', at, id, tool: name, input: args } as const
  if (server === 'statewright') return undefined
  return { kind: 'call', at, id, tool, server, input: args } as const
}

function resultOf(call: JsonObject, before: number): TranscriptResult | undefined {
  const id = idOf(call.id)
  const { name, status, result } = call
  if (id === undefined || !endings.has(String(status))) return undefined
  const text = responseOf(result)
  const facts = { ...outputFacts(text), ...beforeOf(call.resultDisplay) }
  const exit = status === 'success' ? exitOf(String(name), text) : 'failure'
  return { kind: 'result', at: timeOf(call.timestamp, before), id, exit, ...facts }
}

function beforeOf(shown: unknown): Pick<TranscriptResult, 'before'> {
  if (!isJsonObject(shown)) return {}
  const { filePath: path, originalContent, isNewFile } = shown
  const text = isNewFile === true ? null : originalContent
  const isKnown = typeof text === 'string' || text === null
  return typeof path === 'string' && isKnown ? { before: { path, text } } : {}
}

const endings: ReadonlySet<string> = new Set(['success', 'error', 'cancelled'])

function responseOf(result: unknown): string {
  const [part] = Array.isArray(result) ? result : []
  const answer = isJsonObject(part) ? part.functionResponse : undefined
  const response = isJsonObject(answer) ? answer.response : undefined
  if (!isJsonObject(response)) return ''
  const text = response.output ?? response.error
  return typeof text === 'string' ? text.replace(/^<untrusted_context>\n/, '') : ''
}

/**
 * How a command ended stands in words alone. One that prints such words itself counts as failed,
 * which proves nothing; what begins otherwise was cancelled or goes on in the background.
 */
function exitOf(tool: string, text: string): 'success' | 'failure' | null {
  if (tool !== 'run_shell_command') return 'success'
  if (/^(?:Exit Code: (?!0$)|Signal: \d|Error: )/m.test(text)) return 'failure'
  return text.startsWith('Output: ') ? 'success' : null
}
