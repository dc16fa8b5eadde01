import { compileGlob, err } from '@statewright/core/internal'
import { z } from 'zod'
import { toolLimits } from './limits.ts'
import {
  defineTool,
  errorResult,
  faultResult,
  Path,
  type ToolDone,
  type ToolHost,
  textResult,
} from './tool.ts'
import { type Matcher, regexMatcher, wordsMatcher } from './workspace/matcher.ts'
import { search } from './workspace/search.ts'

const where = {
  path: Path.optional(),
  glob: z.string().min(1).max(500).optional().describe('Only in files that match, as **/*.ts.'),
}

export const grep = defineTool({
  name: 'grep',
  description: 'Finds lines that match a JavaScript regular expression. Answers path:line:text.',
  input: z.strictObject({
    pattern: z.string().min(1).max(1000),
    ...where,
    ignore_case: z.boolean().optional(),
  }),
  isMutating: false,
  async run({ pattern: source, ignore_case, ...where }, host) {
    const flags = ignore_case === true ? 'i' : ''
    const fault = regexFault(source, flags)
    if (fault !== undefined) return errorResult('invalid_regex', fault)
    return find(host, { ...where, matcher: regexMatcher({ source, flags }) })
  },
})

export const searchFiles = defineTool({
  name: 'search',
  description: 'Finds files by words in their names or lines; case does not matter.',
  input: z.strictObject({ query: z.string().min(1).max(1000), ...where }),
  isMutating: false,
  run({ query, ...where }, host) {
    const words = query.toLowerCase()
    const names = (text: string) => text.toLowerCase().includes(words)
    return find(host, { ...where, matcher: wordsMatcher(names), names })
  },
})

interface SearchQuery {
  readonly path?: string | undefined
  readonly glob?: string | undefined
  readonly matcher: Matcher
  readonly names?: (name: string) => boolean
}

async function find(host: ToolHost, query: SearchQuery): Promise<ToolDone> {
  const { path = '.', glob, matcher, names } = query
  const { matches: max, matchLength, searchMs } = toolLimits
  const tooLong = AbortSignal.timeout(Math.min(host.timeoutMs, searchMs))
  const signal = AbortSignal.any([host.signal, tooLong])
  const close = () => matcher.close()
  signal.addEventListener('abort', close, { once: true })
  try {
    const compiled = glob === undefined ? undefined : compileGlob(glob)
    const wish = { path, glob: compiled, matcher, names, max, matchLength, signal }
    const found = await search(host.workspace, wish)
    if (host.signal.aborted) return err({ why: 'canceled', message: 'The search was stopped.' })
    if (tooLong.aborted) {
      // The agent's own pattern is to blame and a simpler one helps: news, not a broken session.
      return errorResult('search_timeout', 'The search took too long; use a simpler pattern.')
    }
    if (!found.ok) return faultResult(found.error)
    const { lines, isWhole } = found.value
    if (lines.length === 0) return textResult('No matches.')
    return textResult(lines.join('\n') + (isWhole ? '' : '\n[there are more]'))
  } finally {
    signal.removeEventListener('abort', close)
    matcher.close()
  }
}

function regexFault(source: string, flags: string): string | undefined {
  try {
    new RegExp(source, flags)
    return undefined
  } catch (fault) {
    return fault instanceof Error ? fault.message : String(fault)
  }
}
