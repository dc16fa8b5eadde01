import { relative } from 'node:path'
import type { Template } from '../../templates/read-templates.ts'
import { readSkillFile, type SkillFile } from '../../templates/skill/skill-file.ts'
import { skillTemplate } from '../../templates/skill/skill-template.ts'
import { orRefuse, say } from '../command.ts'
import { printable } from '../output/report.ts'

export interface SkillWorkflow extends Pick<SkillFile, 'file' | 'notes'> {
  readonly template: Template
}

/** A workflow from the steps of a skill, for `init` and `workflow new`. */
export function workflowFromSkill(path: string): SkillWorkflow {
  const skill = orRefuse(readSkillFile(path))
  return { template: skillTemplate(skill), file: skill.file, notes: skill.notes }
}

const maxNotes = 30

/** Names what was not read, or otherwise than it is written: the person has to look at it. */
export function sayNotes({ file, notes }: Pick<SkillWorkflow, 'file' | 'notes'>): void {
  const name = printable(relative(process.cwd(), file))
  for (const { line, message } of notes.slice(0, maxNotes)) {
    say(`${name}:${line}: ${printable(message)}`)
  }
  const more = notes.length - maxNotes
  if (more > 0) say(`and ${more} more notes; --json lists them all.`)
}
