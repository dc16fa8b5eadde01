import { cut, err, type Json, ok, own, type Problem, type Result } from '@statewright/core/internal'
import { findSteps, type StepNote } from './find-steps.ts'
import { type FrontMatter, readFrontMatter } from './front-matter.ts'
import { skillLimits } from './limits.ts'
import { type MarkdownText, readMarkdown } from './markdown.ts'
import { readStep, type SkillStep } from './read-step.ts'
import { readTools } from './read-tools.ts'

export interface Skill {
  /** As a file name and an id: lower-case letters, digits and dashes. */
  readonly name: string
  readonly description: string
  /** Undefined where the skill declares none. */
  readonly tools?: readonly string[]
  readonly steps: readonly SkillStep[]
  /** What could not be read, or was read otherwise than it is written. */
  readonly notes: readonly StepNote[]
}

/** Reads the text of a skill. `folder` names it where its head does not. */
export function readSkill(text: string, folder: string): Result<Skill, Problem> {
  const shown = withoutHidden(text)
  const head = readFrontMatter(shown.text)
  const body = readMarkdown(head.body, head.bodyLine)
  const found = findSteps(body.lines)
  if (found.steps.length === 0) return err(noSteps)
  if (found.steps.length > skillLimits.steps) return err(tooManySteps(found.steps.length))
  const tools = readTools(own(head.fields, 'allowed-tools'))
  const read = found.steps.map(readStep)
  const notes = [
    ...textNotes({ head, body, hidden: shown.count }),
    ...tools.notes,
    ...found.notes,
    ...read.flatMap((one) => one.notes),
  ]
  return ok({
    name: nameOf(own(head.fields, 'name'), folder),
    description: descriptionOf(own(head.fields, 'description')),
    ...(tools.entries === undefined ? {} : { tools: tools.entries }),
    steps: read.map(({ step }) => step),
    notes: notes.toSorted((one, other) => one.line - other.line),
  })
}

interface ReadText {
  readonly head: FrontMatter
  readonly body: MarkdownText
  /** How many characters were taken out. */
  readonly hidden: number
}

function textNotes({ head, body, hidden }: ReadText): StepNote[] {
  const notes = body.comments.map((line) => {
    return note(line, 'A hidden comment was left out.')
  })
  if (head.fault !== undefined) {
    notes.push(note(1, `The head is not YAML, and was read line by line: ${head.fault}`))
  }
  if (hidden > 0) notes.push(note(1, `Invisible characters were removed: ${hidden}.`))
  if (body.openFence !== undefined) {
    notes.push(note(body.openFence, 'This code block is not closed. No steps in it were read.'))
  }
  return notes
}

const noSteps: Problem = {
  code: 'definition_invalid',
  message: 'No steps were found in this skill.',
  where: 'its text',
  next: 'number its steps: a list "1.", "2.", headings "Step 1", or headings under "Steps".',
}

function tooManySteps(count: number): Problem {
  return {
    code: 'definition_invalid',
    message: `This skill has ${count} steps; at most ${skillLimits.steps} are read.`,
    where: 'its text',
    next: 'split the skill, or write the workflow by hand.',
  }
}

function note(line: number, message: string): StepNote {
  return { line, message }
}

const unseen = new RegExp(
  [
    '(?![\\t\\n])[\\p{Cc}\\p{Cf}\\p{Cs}\\p{Zl}\\p{Zp}]',
    '[\\u115f\\u1160\\u2800\\u3164\\uffa0]|[\\ufe00-\\ufe0e]|[\\u{e0100}-\\u{e01ef}]',
  ].join('|'),
  'gu',
)

/** Characters that a reader does not see would be words that only the agent reads. */
function withoutHidden(text: string): { readonly text: string; readonly count: number } {
  const spaced = text
    .replace(/^\ufeff/, '')
    .replaceAll(/\r\n?/g, '\n')
    .replaceAll(/\p{Zs}/gu, ' ')
  const shown = spaced.replaceAll(unseen, '')
  return { text: shown, count: spaced.length - shown.length }
}

function nameOf(value: Json | undefined, folder: string): string {
  for (const text of [value, folder]) {
    const name = slug(typeof text === 'string' ? text : '', '-', skillLimits.nameLength)
    if (/[a-z]/.test(name)) return name
  }
  return 'skill'
}

function descriptionOf(value: Json | undefined): string {
  const text = typeof value === 'string' ? value.replaceAll(/\s+/g, ' ').trim() : ''
  return cut(text, skillLimits.descriptionLength)
}

/** Letters and digits of the Latin alphabet, with one mark between the words. */
export function slug(text: string, mark: string, max: number): string {
  const words =
    text
      .slice(0, max * 8)
      .normalize('NFKD')
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? []
  let name = ''
  for (const word of words) {
    if (name.length + mark.length + word.length > max) break
    name = name === '' ? word : `${name}${mark}${word}`
  }
  return name === '' ? (words[0] ?? '').slice(0, max) : name
}
