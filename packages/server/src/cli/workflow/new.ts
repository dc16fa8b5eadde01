import { projectRoot } from '../../home/folders.ts'
import { recogniseProject, sourceGlobs } from '../../templates/project-kind.ts'
import { findTemplate, templates } from '../../templates/read-templates.ts'
import { type JsonOption, orRefuse, printJson, refusable, refuse, say } from '../command.ts'
import { type SkillWorkflow, sayNotes, workflowFromSkill } from '../install/from-skill.ts'
import { type NewFile, templateFiles, writeNewFiles } from '../install/init-files.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'

/** `statewright workflow new [TEMPLATE]`: without a name, what there is to begin with. */
export function newWorkflow(
  name: string | undefined,
  options: JsonOption & { readonly test?: string; readonly from?: string },
): Promise<void> {
  return refusable(async () => {
    if (options.from !== undefined) return newFromSkill(options.from, name, options)
    if (name === undefined) return listTemplates(options)
    const template = findTemplate(name)
    if (template === undefined) {
      return refuse({
        code: 'unknown_workflow',
        message: `There is no template called "${name}".`,
        where: 'workflow new',
        next: 'run "statewright workflow new" to list them.',
      })
    }
    const project = projectRoot(process.cwd())
    const kind = recogniseProject(project)
    const files = templateFiles(template, {
      test: options.test ?? kind?.test ?? 'npm test',
      definedBy: kind?.definedBy ?? 'package.json',
      sources: kind?.sources ?? sourceGlobs(project),
    })
    writeAndName(project, files, options)
  })
}

/** `statewright workflow new --from SKILL.md`, where the project is set up already. */
function newFromSkill(skill: string, template: string | undefined, options: JsonOption): void {
  if (template !== undefined) {
    refuse({
      code: 'usage',
      message: 'A workflow comes from a skill or from a template, not from both.',
      where: 'workflow new',
      next: 'leave out the name of the template.',
    })
  }
  const made = workflowFromSkill(skill)
  const files = templateFiles(made.template, undefined)
  writeAndName(projectRoot(process.cwd()), files, { ...options, notes: made.notes })
  if (options.json !== true) sayNotes(made)
}

function writeAndName(
  project: string,
  files: readonly NewFile[],
  options: JsonOption & { readonly notes?: SkillWorkflow['notes'] },
): void {
  const { json, notes } = options
  orRefuse(writeNewFiles(project, files))
  const names = files.map(({ file }) => file)
  if (json === true) printJson({ files: names, ...(notes === undefined ? {} : { notes }) })
  else for (const name of names) process.stdout.write(`${printable(name)}\n`)
  say(`Next: add ${names[0]} to "definitions" in statewright.yaml, or push it.`)
}

function listTemplates(options: JsonOption): void {
  if (options.json === true) {
    for (const { name, kind, description } of templates()) printJson({ name, kind, description })
    return
  }
  process.stdout.write(`${table(templates(), columns, terminalWidth())}\n`)
}

const columns: readonly Column<ReturnType<typeof templates>[number]>[] = [
  { title: 'TEMPLATE', text: (one) => one.name },
  { title: 'KIND', text: (one) => one.kind },
  { title: 'DESCRIPTION', text: (one) => one.description, gives: 'below' },
]
