import { projectRoot } from '../../config/folders.ts'
import { recogniseProject, sourceGlobs } from '../../templates/project-kind.ts'
import { findTemplate, templates } from '../../templates/read-templates.ts'
import { type JsonOption, orRefuse, printJson, refusable, refuse, say } from '../command.ts'
import { templateFiles, writeNewFiles } from '../install/init-files.ts'
import { printable } from '../output/report.ts'
import { type Column, table, terminalWidth } from '../output/table.ts'

/** `statewright workflow new [TEMPLATE]`: without a name, what there is to begin with. */
export function newWorkflow(
  name: string | undefined,
  options: JsonOption & { readonly test?: string },
): Promise<void> {
  return refusable(async () => {
    if (name === undefined) return listTemplates(options)
    const template = findTemplate(name)
    if (template === undefined) {
      return refuse({
        code: 'unknown_workflow',
        message: `There is no template called "${name}".`,
        where: 'workflow new',
        next: 'run "statewright workflow new" to see them.',
      })
    }
    const project = projectRoot(process.cwd())
    const kind = recogniseProject(project)
    const files = templateFiles(template, {
      test: options.test ?? kind?.test ?? 'npm test',
      definedBy: kind?.definedBy ?? 'package.json',
      sources: kind?.sources ?? sourceGlobs(project),
    })
    orRefuse(writeNewFiles(project, files))
    if (options.json === true) printJson({ files: files.map(({ file }) => file) })
    else for (const { file } of files) process.stdout.write(`${printable(file)}\n`)
    say(`Next: add ${files[0]?.file} to "definitions" in statewright.yaml, or push it.`)
  })
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
