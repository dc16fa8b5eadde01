import { existsSync } from 'node:fs'
import type { Problem } from '@statewright/core/internal'
import { type Command, Option } from 'commander'
import { installers } from '../../client-settings/installers.ts'
import { findRunning } from '../../home/discovery.ts'
import { dataFolder, projectConfigFile, projectRoot } from '../../home/folders.ts'
import { recogniseProject, sourceGlobs } from '../../templates/project-kind.ts'
import { findTemplate, type Template, templates } from '../../templates/read-templates.ts'
import { askLine, hasTerminal } from '../ask.ts'
import {
  type JsonOption,
  orRefuse,
  printJson,
  refusable,
  refuse,
  say,
  saySentence,
} from '../command.ts'
import { printable } from '../output/report.ts'
import { foundClients, knownClients } from './found-clients.ts'
import { type SkillWorkflow, sayNotes, workflowFromSkill } from './from-skill.ts'
import { type InitChoices, type NewFile, plannedFiles, writeNewFiles } from './init-files.ts'

interface InitOptions extends JsonOption {
  readonly template?: string
  readonly from?: string
  readonly test?: string
  readonly mode?: 'strict' | 'enforce' | 'observe'
  readonly client?: string
  readonly yes?: true
}

export function addInit(program: Command): void {
  const modes = new Option('--mode <mode>', 'how much is denied; strict when left out')
  program
    .command('init')
    .description('set this project up: a first workflow, the server, and a guarded client')
    .option(
      '--template <name>',
      `one of ${templates()
        .map((one) => one.name)
        .join(', ')}`,
    )
    .option('--from <skill>', 'a SKILL.md: each of its steps becomes a state, in order')
    .option('--test <command>', 'the command that runs the tests; guessed when left out')
    .addOption(modes.choices(['strict', 'enforce', 'observe']))
    .option('--client <name>', 'the coding client to guard right away')
    .option('--yes', 'accept all suggestions and ask nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action((options: InitOptions) => refusable(() => init(options)))
}

const help = `
It writes a workflow, its scenarios and statewright.yaml. At a terminal it asks
for the command that runs your tests, which coding client to guard, and a PIN;
then it starts the server here, installs the client and shows that a first call
is denied. Without a terminal, or with --yes and no --client, it writes the
files and says what comes next.

  strict   no active run means no tools; what is not listed is denied
  enforce  the workflow is enforced wherever one is active
  observe  nothing is denied except calls that would touch Statewright itself;
           what would have been denied is recorded and shown

Examples:
  statewright init
  statewright init --yes --client claude-code
  statewright init --template review-only --mode observe --yes
  statewright init --test "pytest -q" --yes
  statewright init --from .claude/skills/release/SKILL.md
`

async function init(options: InitOptions): Promise<void> {
  const project = projectRoot(process.cwd())
  const config = projectConfigFile(project)
  if (existsSync(config)) {
    refuse({
      code: 'name_taken',
      message: 'This project is set up already.',
      where: config,
      next: 'run "statewright up", then "statewright install CLIENT". Edit that file to change it.',
    })
  }
  const isPersonThere = options.json !== true && hasTerminal()
  const asks = options.yes !== true && isPersonThere
  // Before anything is written: a misspelled name must not leave half of it behind.
  const named = options.client === undefined ? undefined : checkedClient(options.client, '--client')
  const chosen = await chooseWorkflow(options, { project, asks })
  const { mode = 'strict' } = options
  const clients = foundClients(project, process.env)
  const client = named ?? (asks ? await askClient(clients) : undefined)
  const files = plannedFiles({ template: chosen.template, project: chosen.project, mode })
  orRefuse(writeNewFiles(project, files))
  if (options.json === true) return printReport({ project, files, chosen, mode, clients })
  for (const { file } of files) process.stdout.write(`${printable(file)}\n`)
  if (chosen.skill !== undefined) sayNotes(chosen.skill)
  if (asks) sayDefaults(options, chosen.template)
  const isUp = findRunning(dataFolder(project, process.env, undefined)) !== undefined
  if (client === undefined || isUp || !isPersonThere) {
    saySentence(nextSentence(client === undefined ? clients : [client], isUp))
    return sayStart(chosen.template)
  }
  // With the server it takes a moment to load, which anyone who only wants files need not wait for.
  const { setUpClient } = await import('./set-up.ts')
  await setUpClient(client)
  sayStart(chosen.template)
}

/** The configuration starts a workflow with each session; a process is started by a person. */
function sayStart({ kind, name }: Template): void {
  if (kind === 'workflow') return
  saySentence(`Start the process when it is needed: "statewright process start ${name}".`)
}

/** What was not asked, and how to have it otherwise. */
function sayDefaults(options: InitOptions, { name }: Template): void {
  if (options.template === undefined && options.from === undefined) {
    saySentence(`The workflow is ${name}; "statewright workflow new" lists others.`)
  }
  if (options.mode === undefined) {
    saySentence('The mode is strict: without a run no tool may be used (see "init --help").')
  }
}

interface Report extends Pick<InitChoices, 'mode'> {
  readonly project: string
  readonly files: readonly NewFile[]
  readonly chosen: ChosenWorkflow
  readonly clients: readonly string[]
}

function printReport({ project, files, chosen, mode, clients }: Report): void {
  printJson({
    project,
    files: files.map(({ file }) => file),
    template: chosen.template.name,
    mode,
    ...(chosen.project === undefined ? {} : { test: chosen.project.test }),
    ...(chosen.skill === undefined ? {} : { notes: chosen.skill.notes }),
    clients,
  })
}

interface ChosenWorkflow extends Pick<InitChoices, 'template' | 'project'> {
  readonly skill?: SkillWorkflow
}

/** From a skill nothing is asked: its text says what the steps are. */
async function chooseWorkflow(
  options: InitOptions,
  { project, asks }: { readonly project: string; readonly asks: boolean },
): Promise<ChosenWorkflow> {
  if (options.from !== undefined) {
    if (options.template !== undefined || options.test !== undefined) refuse(twoSources)
    const skill = workflowFromSkill(options.from)
    return { template: skill.template, project: undefined, skill }
  }
  const kind = recogniseProject(project)
  if (kind !== undefined) say(`This looks like ${kind.language} (${kind.because}).`)
  const template = chosenTemplate(options)
  const proposed = options.test ?? kind?.test ?? 'npm test'
  const test =
    asks && options.test === undefined
      ? (await askLine(`Command that runs the tests [${proposed}]: `)).trim() || proposed
      : proposed
  const { definedBy = 'package.json', sources = sourceGlobs(project) } = kind ?? {}
  return { template, project: { test, definedBy, sources } }
}

const twoSources: Problem = {
  code: 'usage',
  message: 'A workflow comes from a skill or from a template, not from both.',
  where: '--from',
  next: 'leave out --template and --test.',
}

function chosenTemplate(options: InitOptions): Template {
  const wanted = options.template ?? 'bugfix'
  const found = findTemplate(wanted)
  if (found !== undefined) return found
  return refuse({
    code: 'unknown_workflow',
    message: `There is no template called "${wanted}".`,
    where: '--template',
    next: `take one of ${templates()
      .map((one) => one.name)
      .join(', ')}.`,
  })
}

/** Undefined where none is to be put under guard now. */
async function askClient(found: readonly string[]): Promise<string | undefined> {
  const proposed = found[0] ?? 'none'
  const here = `Found here: ${found.join(', ') || 'none'}.`
  saySentence(`Clients: ${knownClients.join(', ')}. ${here}`)
  saySentence(
    'Guarding changes the settings of a client; "statewright uninstall" undoes exactly that.',
  )
  for (;;) {
    const answer = (await askLine(`Which one to guard now, or none? [${proposed}]: `)).trim()
    const name = (answer || proposed).toLowerCase()
    if (name === 'none') return undefined
    if (installers.has(name)) return name
    saySentence(`${unknownClient(name)} Type one of the names above, or none.`)
  }
}

function checkedClient(name: string, where: string): string {
  if (installers.has(name)) return name
  return refuse({
    code: 'usage',
    message: unknownClient(name),
    where,
    next: `name one of ${knownClients.join(', ')}.`,
  })
}

function unknownClient(name: string): string {
  return `"${printable(name.slice(0, 50))}" is not a client that Statewright can guard.`
}

function nextSentence(clients: readonly string[], isUp: boolean): string {
  const installs = clients.map((client) => `"statewright install ${client}"`)
  const then =
    installs.length === 0
      ? '"statewright install CLIENT" for your coding client'
      : installs.join(' and ')
  return isUp
    ? `Next: restart the server of this project, which runs already, then ${then}.`
    : `Next: run "statewright up", open the link that it prints, then ${then}.`
}
