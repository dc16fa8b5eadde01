import { existsSync } from 'node:fs'
import type { Problem } from '@statewright/core/internal'
import { type Command, Option } from 'commander'
import { projectConfigFile, projectRoot } from '../../config/folders.ts'
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
import { type Column, table } from '../output/table.ts'
import { foundClients } from './found-clients.ts'
import { type SkillWorkflow, sayNotes, workflowFromSkill } from './from-skill.ts'
import { type InitChoices, plannedFiles, writeNewFiles } from './init-files.ts'

interface InitOptions extends JsonOption {
  readonly template?: string
  readonly from?: string
  readonly test?: string
  readonly mode?: 'strict' | 'enforce' | 'observe'
  readonly yes?: true
}

export function addInit(program: Command): void {
  const modes = new Option('--mode <mode>', 'how much it holds; asked when left out')
  program
    .command('init')
    .description('write a configuration and a first workflow for this project')
    .option(
      '--template <name>',
      `one of ${templates()
        .map((one) => one.name)
        .join(', ')}`,
    )
    .option('--from <skill>', 'a SKILL.md: each of its steps becomes a state, in order')
    .option('--test <command>', 'the command that runs the tests; guessed when left out')
    .addOption(modes.choices(['strict', 'enforce', 'observe']))
    .option('--yes', 'take what is proposed and ask nothing')
    .option('--json', 'print one JSON object')
    .addHelpText('after', help)
    .action((options: InitOptions) => refusable(() => init(options)))
}

const help = `
  strict   no active run means no tools, and what is not listed is denied
  enforce  the workflow is enforced wherever one is active
  observe  nothing is denied but what reaches for Statewright itself; what would
           have been is recorded and shown

Examples:
  statewright init
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
      next: 'edit that file, or write another workflow with "statewright workflow new NAME".',
    })
  }
  const asks = options.yes !== true && options.json !== true && hasTerminal()
  const chosen = await chooseWorkflow(options, { project, asks })
  const mode = options.mode ?? (asks ? await askMode() : 'strict')
  const files = plannedFiles({ template: chosen.template, project: chosen.project, mode })
  orRefuse(writeNewFiles(project, files))
  const clients = foundClients(project, process.env)
  if (options.json === true) {
    printJson({
      project,
      files: files.map(({ file }) => file),
      template: chosen.template.name,
      mode,
      ...(chosen.project === undefined ? {} : { test: chosen.project.test }),
      ...(chosen.skill === undefined ? {} : { notes: chosen.skill.notes }),
      clients,
    })
    return
  }
  for (const { file } of files) process.stdout.write(`${printable(file)}\n`)
  if (chosen.skill !== undefined) sayNotes(chosen.skill)
  saySentence(nextSentence(clients))
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
  const template = await chosenTemplate(options, asks)
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

async function chosenTemplate(options: InitOptions, asks: boolean): Promise<Template> {
  const wanted = options.template ?? (asks ? await askTemplate() : 'bugfix')
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

async function askTemplate(): Promise<string> {
  const all = templates()
  const rows = all.map((template, index) => ({ ...template, number: String(index + 1) }))
  say(table(rows, choices, Math.max(40, process.stderr.columns || 80)))
  const answer = (await askLine('Which one to begin with? [bugfix]: ')).trim()
  return all[Number(answer) - 1]?.name ?? (answer === '' ? 'bugfix' : answer)
}

const choices: readonly Column<Template & { readonly number: string }>[] = [
  { title: '', text: (one) => one.number },
  { title: 'TEMPLATE', text: (one) => one.name },
  { title: 'FOR', text: (one) => one.description, gives: 'below' },
]

async function askMode(): Promise<'strict' | 'enforce' | 'observe'> {
  say('strict   no run means no tools; what you change is confirmed with a PIN')
  say('enforce  the workflow is enforced wherever a run is active')
  say('observe  only what reaches for Statewright itself is denied; the rest is recorded')
  const answer = await askLine('Which mode? [strict]: ')
  const word = answer.trim().toLowerCase()
  if (word === '' || word === 'strict') return 'strict'
  if (word === 'enforce' || word === 'observe') return word
  return refuse({ code: 'usage', message: `"${word}" is none of the three.`, where: 'init' })
}

function nextSentence(clients: readonly string[]): string {
  const installs = clients.map((client) => `"statewright install ${client}"`)
  const then =
    installs.length === 0
      ? '"statewright install CLIENT" for your coding client'
      : installs.join(' and ')
  return `Next: run "statewright up", open the link that it prints, then ${then}.`
}
