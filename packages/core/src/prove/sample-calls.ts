import { runnerFiles } from '../call/test-runners.ts'
import { toolRef } from '../call/tool-names.ts'
import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import type { Machine, MachineEvidence, Program } from '../machine/machine.ts'
import { type FileClasses, fileClasses } from './file-classes.ts'
import type { SampleCall } from './sample-call.ts'
import { bash, editsOf, toolsOfList } from './sample-edits.ts'

export interface SampleCalls {
  /** Calls that may change more than a count: evidence, files, facts, marks, detours. */
  readonly telling: readonly SampleCall[]
  /** Calls that are only made to use a limit up. */
  readonly idle: readonly SampleCall[]
  /** One file of each kind that evidence or an interrupt tells apart. */
  readonly files: readonly string[]
  /** Every file that a call of the search changes. */
  readonly changing: readonly string[]
  /** What tells the kind of a file. */
  readonly classOf: (file: string) => string
  /** Whether every kind of file is there. */
  readonly complete: boolean
}

/** The calls that matter to a program, with those that an author names. */
export function sampleCalls(program: Program, named: readonly SampleCall[]): SampleCalls {
  const machines = [...program.machines.values()]
  const { classes, complete, classOf } = classesOf(machines, filesOf(named))
  const matched = classes.filter(({ matches }) => matches.some(Boolean))
  const commands = unique(machines.flatMap(commandsOf))
  const tools = unique(machines.flatMap(toolsOf))
  const evidence = machines.flatMap((machine) => [...machine.evidence.values()].map(proofOf))
  const plain = classes.find(({ matches }) => !matches.some(Boolean))?.file ?? 'a.txt'
  const idle = [
    { tool: 'Read', input: { file_path: plain } },
    ...commands.map((command) => bash(command)),
    ...tools.map(withoutInput),
    ...evidence,
  ]
  const lists = machines.flatMap(noticedLists)
  const listed = unique(machines.flatMap(listedCommands))
  const editing = { tools: unique([...tools, ...lists.flatMap(toolsOfList)]), commands, listed }
  const edits = (file: string) => editsOf(file, editing)
  const telling = [
    ...named,
    ...evidence,
    ...matched.flatMap(({ file }) => edits(file)),
    ...lists.flatMap((list) => [
      ...callsOfList(list),
      // A name with a star means those that states let through; a call has to be one of them.
      ...tools.filter((tool) => allowsTool(list, toolRef(tool))).map((tool) => withoutInput(tool)),
      ...(allowsTool(list, { tool: 'Bash' }) ? ['ls', ...commands].map(bash) : []),
      ...(['Edit', 'Write'].some((tool) => allowsTool(list, { tool })) ? edits(plain) : []),
    ]),
    ...(machines.some(noticesAnyCall) ? idle : []),
  ]
  return {
    telling: distinct(telling),
    idle: distinct(idle),
    files: matched.map(({ file }) => file),
    changing: unique([...matched.map(({ file }) => file), ...filesOf(named)]),
    classOf: (file) => JSON.stringify(classOf(file)),
    complete,
  }
}

function classesOf(machines: readonly Machine[], named: readonly string[]): FileClasses {
  const unions = machines.flatMap(({ evidence, interrupts }) => [
    ...[...evidence.values()].flatMap((fact) => [fact.patterns.stale, definingOf(fact)]),
    ...interrupts.flatMap(({ pattern }) => (pattern === null ? [] : [[pattern]])),
  ])
  const used = unions.filter((patterns) => patterns.length > 0)
  return fileClasses(used, named)
}

function definingOf({ patterns, command, takesRunnerFiles }: MachineEvidence): readonly string[] {
  const runner = takesRunnerFiles ? runnerFiles(command ?? []) : null
  const names = runner?.names.map((name) => `**/${name}`) ?? []
  return [...patterns.defining, ...names]
}

/** The call that gives a piece of evidence. */
function proofOf({ tool, command }: MachineEvidence): SampleCall {
  return command === null ? { tool, input: {} } : { tool, input: { command: command.join(' ') } }
}

function commandsOf(machine: Machine): string[] {
  return [...machine.states.values()].flatMap(({ shell, tools }) => [
    ...(shell.allowedCommands ?? []).map((words) => words.join(' ')),
    ...(tools?.commandPatterns ?? []).map(({ words }) => words.join(' ')),
  ])
}

/** Commands of lists of tools that more words may follow. */
function listedCommands(machine: Machine): string[] {
  return [...machine.states.values()].flatMap(({ tools }) =>
    (tools?.commandPatterns ?? []).flatMap(({ words, exact }) => (exact ? [] : [words.join(' ')])),
  )
}

function toolsOf(machine: Machine): string[] {
  return [...machine.states.values()].flatMap(({ tools }) => (tools ? toolsOfList(tools) : []))
}

/** Calls that teach, forget, mark or fire a detour by their tool. */
function noticedLists({ facts, marks, interrupts, policy }: Machine): ToolList[] {
  const lists = [
    ...facts.flatMap(({ from, forgetOn }) => [from, forgetOn]),
    ...[...marks, ...(policy?.marks ?? [])].map(({ on }) => on),
    ...interrupts.map(({ tools }) => tools),
  ]
  return lists.filter((list) => list !== null)
}

/** An interrupt that names neither files nor tools is asked about every call. */
function noticesAnyCall({ interrupts }: Machine): boolean {
  return interrupts.some(({ tools, pattern, when }) => {
    return tools === null && pattern === null && when !== null
  })
}

function withoutInput(tool: string): SampleCall {
  return { tool, input: {} }
}

function callsOfList(list: ToolList): SampleCall[] {
  const tools = [...toolsOfList(list), ...(list.any ? ['Read'] : [])]
  return [
    ...tools.map(withoutInput),
    ...list.commandPatterns.map(({ words }) => bash(words.join(' '))),
  ]
}

/** Files that the author's calls name. */
function filesOf(calls: readonly SampleCall[]): string[] {
  return calls.flatMap(({ input }) => {
    const { file_path, path } = Object(input)
    return [file_path, path].filter((one) => typeof one === 'string' && !one.startsWith('/'))
  })
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)]
}

function distinct(calls: readonly SampleCall[]): SampleCall[] {
  return [...new Map(calls.map((one) => [JSON.stringify(one), one])).values()]
}
