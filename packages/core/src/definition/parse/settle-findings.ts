import { limits } from '../../base/limits.ts'
import { type Finding, type FindingCode, finding } from '../finding.ts'
import type { Source } from '../text/source.ts'

/** Findings about a name rather than about what stands behind it. */
const aboutNames: ReadonlySet<FindingCode> = new Set([
  'unknown_field',
  'reserved_name',
  'duplicate_key',
  'alias_twice',
  'mixed_patterns',
  'meta_near_miss',
])

/** Gives findings their places and their order, and keeps them to a number a person can read. */
export function settleFindings(findings: readonly Finding[], source: Source): Finding[] {
  const once = withoutRepeats(findings)
  const errors = once.filter((one) => one.severity === 'error')
  const warnings = once.filter((one) => one.severity === 'warning')
  const kept = [...errors, ...warnings]
    .slice(0, limits.findings)
    .map((one) => positioned(one, source))
  kept.sort(byPosition)
  const more = once.length - kept.length
  if (more > 0) {
    const message = `${more} more findings are not shown. Fix these first.`
    kept.push(finding('too_many_findings', [], message))
  }
  return kept
}

/** A name that two layers refuse, such as an empty one, is told once. */
function withoutRepeats(findings: readonly Finding[]): Finding[] {
  const seen = new Set<string>()
  return findings.filter(({ code, path }) => {
    const key = `${code} ${JSON.stringify(path)}`
    const isNew = !seen.has(key) || code === 'syntax'
    seen.add(key)
    return isNew
  })
}

function positioned(one: Finding, source: Source): Finding {
  if (one.line !== undefined) return one
  const position = source.locate(one.path, aboutNames.has(one.code) ? 'key' : 'value')
  return position === undefined ? one : { ...one, ...position }
}

function byPosition(left: Finding, right: Finding): number {
  const lines = (left.line ?? 0) - (right.line ?? 0)
  return lines !== 0 ? lines : (left.column ?? 0) - (right.column ?? 0)
}
