import type { Complaint, TextFile } from './tree.ts'

export type RuleStatus = 'built' | 'planned'

export interface Rule {
  readonly id: string
  readonly path: string
  readonly line: number
  readonly status: RuleStatus | undefined
}

export interface Rulebook {
  readonly rules: ReadonlyMap<string, Rule>
  readonly complaints: readonly Complaint[]
}

/** An id such as `WF-8a`: the family, a number, perhaps a letter. */
export const ruleId = /\b(WF|SH|PR|PO|SE|PV|SK)-(\d+)([a-z]?)\b/g

/**
 * Reads the rules of docs/spec: a rule begins a list item as `**WF-17**`, and the table at the head
 * of its file says which rules are built.
 */
export function readRules(files: readonly TextFile[]): Rulebook {
  const rules = new Map<string, Rule>()
  const complaints: Complaint[] = []
  for (const { path, text } of files) {
    const ranges = readStatus(text)
    text.split('\n').forEach((content, index) => {
      const id = /^- \*\*((?:WF|SH|PR|PO|SE|PV|SK)-\d+[a-z]?)\*\*/.exec(content)?.[1]
      if (id === undefined) return
      const line = index + 1
      const status = statusOf(id, ranges)
      if (status === undefined) complaints.push({ path, line, message: `${id} has no status` })
      if (rules.has(id)) complaints.push({ path, line, message: `${id} is defined twice` })
      rules.set(id, { id, path, line, status })
    })
    for (const range of ranges) {
      if ([...rules.keys()].some((id) => covers(range, id))) continue
      complaints.push({ path, line: 1, message: `no rule lies in ${range.text}` })
    }
  }
  return { rules, complaints }
}

interface Range {
  readonly status: RuleStatus
  readonly text: string
  readonly family: string
  readonly from: number
  readonly to: number
  /** Set when one lettered rule is meant, which then counts before any range. */
  readonly letter: string
}

function readStatus(text: string): Range[] {
  return [...text.matchAll(/^\| (built|planned) \| (.+) \|$/gm)].flatMap(([, word, list = '']) =>
    list.split(',').flatMap((part): Range[] => {
      const ends = [...part.matchAll(ruleId)]
      const [first, last = first] = ends
      if (first === undefined || last === undefined) return []
      return [
        {
          status: word === 'built' ? 'built' : 'planned',
          text: part.trim(),
          family: first[1] ?? '',
          from: Number(first[2]),
          to: Number(last[2]),
          letter: ends.length === 1 ? (first[3] ?? '') : '',
        },
      ]
    }),
  )
}

function statusOf(id: string, ranges: readonly Range[]): RuleStatus | undefined {
  const fitting = ranges.filter((range) => covers(range, id))
  const exact = fitting.filter((range) => range.letter !== '')
  const counted = new Set((exact.length > 0 ? exact : fitting).map((range) => range.status))
  const [status] = counted
  return counted.size === 1 ? status : undefined
}

function covers(range: Range, id: string): boolean {
  const [, family, number, letter] = [...id.matchAll(ruleId)][0] ?? []
  if (family !== range.family) return false
  if (range.letter !== '' && range.letter !== letter) return false
  return range.from <= Number(number) && Number(number) <= range.to
}
