import type { MarkdownLine } from './markdown.ts'

/** A step as it stands in the text: where it begins, and the lines that belong to it. */
export interface FoundStep {
  /** By which the text speaks of it. */
  readonly number: number
  readonly line: number
  readonly title: string
  readonly lines: readonly string[]
  /** The lines of its code blocks, with their language. */
  readonly code: readonly { readonly text: string; readonly language: string }[]
}

export interface FoundSteps {
  readonly steps: readonly FoundStep[]
  readonly notes: readonly StepNote[]
}

export interface StepNote {
  readonly line: number
  readonly message: string
}

/** A row of beginnings that could be the steps. */
interface Sequence {
  readonly kind: 'step headings' | 'numbered headings' | 'headings' | 'list'
  readonly starts: readonly Start[]
}

interface Start {
  /** Among all lines. */
  readonly at: number
  readonly number: number | undefined
  readonly title: string
}

type Lines = readonly MarkdownLine[]

/**
 * The declared steps, in order. Headings that are called steps come first; then what stands under
 * a heading such as "Steps" or "Workflow"; then numbered headings; then the first numbered list.
 */
export function findSteps(lines: Lines): FoundSteps {
  const called = headingSequences(lines, stepTitle, 'step headings')
  const lists = listSequences(lines)
  const candidates = [
    ...called,
    ...sectionSequences(lines, lists),
    ...headingSequences(lines, numberedTitle, 'numbered headings'),
    ...lists,
  ].filter(({ starts }) => starts.length > 1)
  const chosen = candidates.find((sequence) => !isAside(lines, sequence))
  if (chosen === undefined) return { steps: [], notes: [] }
  const { starts } = chosen
  const counts = starts.every(({ number = 0 }, index) => number > (starts[index - 1]?.number ?? 0))
  const steps = starts.map((start, index) => {
    const number = counts ? (start.number ?? 0) : index + 1
    const end = starts[index + 1]?.at ?? endOf(lines, chosen, start)
    return { ...stepOf(lines, start, end), number }
  })
  return { steps, notes: [...orderNotes(lines, chosen), ...leftOut(lines, chosen, candidates)] }
}

const asideTitle =
  /\b(?:mistakes?|pitfalls?|gotchas?|anti-?patterns?|examples?|faq|troubleshooting|references?)\b/i

/** Numbered mistakes, examples and the like are no procedure. */
function isAside(lines: Lines, { kind, starts: [first] }: Sequence): boolean {
  if (kind === 'step headings' || first === undefined) return false
  const own = lines[first.at]?.heading?.level ?? 9
  for (let at = first.at - 1; at >= 0; at--) {
    const heading = lines[at]?.heading
    if (heading !== undefined && heading.level < own) return asideTitle.test(heading.title)
  }
  return false
}

type ReadTitle = (title: string) => { number: number; title: string } | undefined

const stepTitle: ReadTitle = (text) => {
  const [, number, title = ''] =
    /^(?:step|phase|stage)\s+(\d{1,3})(?![\d.]\d)\s*[:.)\u2013\u2014-]{0,3}\s*(.*)$/i.exec(text) ??
    []
  return number === undefined ? undefined : { number: Number(number), title }
}

const numberedTitle: ReadTitle = (text) => {
  const [, number, title = ''] = /^(\d{1,3})[.):]\s+(.+)$/.exec(text) ?? []
  return number === undefined ? undefined : { number: Number(number), title }
}

/** Headings of one level whose numbers grow; where they begin again, another sequence begins. */
function headingSequences(lines: Lines, read: ReadTitle, kind: Sequence['kind']): Sequence[] {
  const sequences: { level: number; starts: Start[] }[] = []
  for (const [at, { heading }] of lines.entries()) {
    const found = heading === undefined ? undefined : read(heading.title)
    if (heading === undefined || found === undefined) continue
    const last = sequences.findLast(({ level }) => level === heading.level)
    const start = { at, ...found }
    if (last !== undefined && (last.starts.at(-1)?.number ?? 0) < found.number) {
      last.starts.push(start)
    } else sequences.push({ level: heading.level, starts: [start] })
  }
  return sequences.map(({ starts }) => ({ kind, starts }))
}

const sectionTitle = /^(?:the |your |core |main |our )?(?:steps|workflow|process|procedure)\b/i

/** What stands under "Steps", "Workflow", "Process" or "Procedure": headings, else a list. */
function sectionSequences(lines: Lines, lists: readonly Sequence[]): Sequence[] {
  const sequences: Sequence[] = []
  let next = 0
  for (const [at, { heading }] of lines.entries()) {
    if (heading === undefined || !sectionTitle.test(heading.title)) continue
    const end = sectionEnd(lines, at, heading.level)
    while (firstOf(lists[next]) <= at) next += 1
    const starts = headingsWithin(lines, at + 1, end)
    const list = lists[next]
    if (starts.length > 1) sequences.push({ kind: 'headings', starts })
    else if (list !== undefined && firstOf(list) < end) sequences.push(list)
  }
  return sequences
}

function firstOf(sequence: Sequence | undefined): number {
  return sequence?.starts[0]?.at ?? Number.POSITIVE_INFINITY
}

/** The headings of the highest rank between two lines. */
function headingsWithin(lines: Lines, from: number, to: number): Start[] {
  const inside = lines.slice(from, to).flatMap(({ heading }, index) => {
    return heading === undefined || heading.level > 6 ? [] : [{ ...heading, at: from + index }]
  })
  const level = inside.reduce((least, one) => Math.min(least, one.level), 6)
  return inside
    .filter((one) => one.level === level)
    .map(({ at, title }) => ({ at, number: undefined, title, ...numberedTitle(title) }))
}

function sectionEnd(lines: Lines, at: number, level: number): number {
  for (let index = at + 1; index < lines.length; index++) {
    if ((lines[index]?.heading?.level ?? 9) <= level) return index
  }
  return lines.length
}

/**
 * Numbered lists of the outermost level. Text or code between two items parts a list only where the
 * numbers do not go on: writers often forget to indent what belongs to an item.
 */
function listSequences(lines: Lines): Sequence[] {
  const sequences: Start[][] = []
  let open: Start[] | undefined
  let isParted = false
  for (const [at, { item, heading, text, code }] of lines.entries()) {
    if (heading !== undefined && heading.level < 7) open = undefined
    if (item === undefined) {
      if (text !== '' && (code !== undefined || !/^\s/.test(text))) isParted = true
      continue
    }
    if (item.indent > 3) continue
    const last = open?.at(-1)?.number ?? 0
    const goesOn = isParted ? item.number === last + 1 : item.number >= last
    const start = { at, number: item.number, title: text.replace(/^\s*\d+[.)]\s+/, '') }
    if (open !== undefined && goesOn) open.push(start)
    else {
      open = [start]
      sequences.push(open)
    }
    isParted = false
  }
  return sequences.map((starts) => ({ kind: 'list', starts }))
}

/** Where the last step of a sequence ends: at the next heading of its rank, or with its list. */
function endOf(lines: Lines, { kind }: Sequence, { at }: Start): number {
  const level = lines[at]?.heading?.level
  if (kind !== 'list') return sectionEnd(lines, at, level ?? 7)
  const end = lines.findIndex(({ text, heading, code }, index) => {
    if (index <= at) return false
    const isOutside = text !== '' && !/^\s/.test(text) && code === undefined
    return heading !== undefined || (isOutside && lines[index - 1]?.text === '')
  })
  return end < 0 ? lines.length : end
}

function stepOf(lines: Lines, { at, title }: Start, end: number): Omit<FoundStep, 'number'> {
  const own = lines.slice(at, end)
  const code = own.flatMap(({ text, code }) => {
    return code === undefined || /^\s*[`~]{3}/.test(text) ? [] : [{ text, language: code }]
  })
  const body = own.slice(1).map(({ text }) => text)
  return { line: own[0]?.number ?? 1, title, lines: dedented(body), code }
}

function dedented(lines: readonly string[]): string[] {
  const filled = lines.filter((line) => line !== '')
  const least = Math.min(...filled.map((line) => line.length - line.trimStart().length))
  return lines.map((line) => line.slice(Number.isFinite(least) ? least : 0))
}

function orderNotes(lines: Lines, { kind, starts }: Sequence): StepNote[] {
  if (starts.every(({ number }) => number === undefined)) {
    const message = 'These headings have no numbers. They were used in their order.'
    return [{ line: lines[starts[0]?.at ?? 0]?.number ?? 1, message }]
  }
  return starts.flatMap(({ at, number }, index): StepNote[] => {
    const before = starts[index - 1]?.number ?? 0
    // Markdown counts by itself: lists in which every item is 1 are common.
    if (number === undefined || number === before + 1) return []
    if (kind === 'list' && number === before) return []
    const message =
      index === 0
        ? `The first step has the number ${number}; it became step 1.`
        : `Step ${number} comes after step ${before}; it became step ${index + 1}.`
    return [{ line: lines[at]?.number ?? 1, message }]
  })
}

/** Other rows of steps that are no part of the chosen ones. */
function leftOut(lines: Lines, chosen: Sequence, candidates: readonly Sequence[]): StepNote[] {
  const first = chosen.starts[0]?.at ?? 0
  const last = chosen.starts.at(-1)
  const end = last === undefined ? first : endOf(lines, chosen, last)
  const seen = new Set<number>()
  return candidates.flatMap(({ starts }): StepNote[] => {
    const at = starts[0]?.at ?? 0
    if (seen.has(at) || (at >= first && at < end)) return []
    seen.add(at)
    const message = `Another ${starts.length} numbered steps begin here. They were not read.`
    return [{ line: lines[at]?.number ?? 1, message }]
  })
}
