import { phrase } from '../../base/text/phrase.ts'
import { type Arg, noteUnproven, noteVariable, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import type { Call } from '../programs/call.ts'
import { noteOptions, noteSent, noteUnclear } from '../programs/effects.ts'
import { parseOptions, type Used } from '../programs/options.ts'

const methodOption = /^(?:-X|--request|--method)$/

/** `gh api graphql -f query='query { … }'`: a query reads, a mutation does not. */
function asksGraph(operand: Arg | undefined, used: readonly Used[]): boolean {
  if (operand?.text !== 'graphql') return false
  const queries = used.filter(({ option }) => option.role === 'change')
  return (
    queries.length === 1 &&
    /^query=\s*(?:query\b|\{)(?!.*mutation)/s.test(queries[0]?.value?.text ?? '')
  )
}

/** `-H @file`, `-d @file -G` and a cookie file: what stands in a file of ours is sent. */
function namesFile(option: string, { shape }: Arg): boolean {
  if (/^(?:-b|--cookie)$/.test(option)) return !shape.includes('=')
  if (/^--(?:url-query|data-urlencode)$/.test(option)) return /^[^=]*@/.test(shape)
  if (option === '--etag-compare') return true
  return /^(?:-H|--header|-w|--write-out|-d|--data.*)$/.test(option) && shape.startsWith('@')
}

/** curl sends as soon as a method or data says so. */
export function readCurl(walk: Walk, call: Call): CommandKind {
  const parsed = parseOptions(call.program, call.args)
  noteUnclear(walk, call, parsed)
  const method = parsed.used.findLast(({ option }) => methodOption.test(option.name))
  const isGet =
    method?.value?.text === 'GET' ||
    asksGraph(parsed.operands[0], parsed.used) ||
    parsed.used.some(({ option }) => option.name === '-G' || option.name === '--get')
  // With GET, fields are a query.
  const used = parsed.used.filter(({ option }) => {
    const isField = /^(?:-d|--data.*|-f|--raw-field|--field)$/.test(option.name)
    return !(isGet && option.role === 'change' && isField)
  })
  const outcome = noteOptions(
    walk,
    call,
    used.filter(({ option }) => option.role !== 'variable'),
  )
  let sends = outcome.changes || parsed.unknown.length > 0
  const urls = [
    ...parsed.operands,
    ...used.flatMap(({ option, value }) =>
      option.name === '--url' && value !== null ? [value] : [],
    ),
  ]
  for (const url of urls) sends = noteScheme(walk, call, url) || sends
  for (const { option, value } of parsed.used) {
    if (value !== null && namesFile(option.name, value)) noteSent(walk, call, [value])
  }
  for (const at of outcome.writing) {
    sends = true
    noteWrite(
      walk,
      'file',
      null,
      at,
      phrase('sh_saves_file', { title: call.title, shape: at.shape }),
    )
  }
  for (const each of used) sends = noteRequest(walk, call, each) || sends
  return sends ? 'other' : 'read'
}

/** An option that reads a variable, writes a file or asks for a change; whether it does more. */
function noteRequest(walk: Walk, { title }: Call, { option, value, at }: Used): boolean {
  const { role, name } = option
  if (role === 'variable') {
    if (value?.text === null || value?.shape.startsWith('%')) {
      noteVariable(walk, value.text?.slice(1).replace(/[=@].*/s, '') ?? null, value)
    }
    return false
  }
  const isFormat = /^(?:-w|--write-out)$/.test(name)
  if (isFormat && value?.shape.includes('%output{')) {
    noteWrite(walk, 'file', null, value, phrase('sh_curl_w_writes_file'))
    return true
  }
  if (!methodOption.test(name)) return false
  if (value?.text != null && /^(?:GET|HEAD|OPTIONS|TRACE|PROPFIND)$/i.test(value.text)) return false
  noteWrite(walk, 'state', null, value ?? at, phrase('sh_changes_server', { title, name }))
  return true
}

/** Only http and ftp are known to fetch; others send what stands in the address, or read files. */
function noteScheme(walk: Walk, call: Call, url: Arg): boolean {
  const scheme = /^([a-z][a-z0-9+.-]*):\/?\/?/i.exec(url.shape)?.[1]?.toLowerCase()
  if (scheme === undefined || /^(?:https?|ftps?)$/.test(scheme) || scheme.includes('.'))
    return false
  if (scheme === 'localhost') return false
  if (scheme === 'file') {
    noteVariable(walk, null, url, phrase('sh_reads_environment_process_from'))
    return false
  }
  noteUnproven(walk, 'option', url, phrase('sh_unknown_option', { program: call.title }))
  return true
}
