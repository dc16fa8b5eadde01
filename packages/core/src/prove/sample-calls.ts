import { runnerFiles } from '../call/test-runners.ts'
import { toolRef } from '../call/tool-names.ts'
import { allowsTool, type ToolList } from '../call/tool-pattern.ts'
import type { Machine, MachineEvidence, MachineState, Program } from '../machine/machine.ts'
import type { ObservedResult } from '../run/read-result.ts'
import { type FileClasses, fileClasses } from './file-classes.ts'

/** A call that the search lets an agent make. */
export interface SampleCall {
  readonly tool: string
  readonly input: unknown
  /** What it answers with where it succeeds. */
  readonly result?: ObservedResult | undefined
}

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
  const edits = (file: string) => editsOf(file, tools, commands)
  const telling = [
    ...named,
    ...evidence,
    ...matched.flatMap(({ file }) => edits(file)),
    ...machines.flatMap(noticedLists).flatMap((list) => [
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

function bash(command: string): SampleCall {
  return { tool: 'Bash', input: { command } }
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

/** Ways to change a file: by each tool that edits, and by the shell. */
function editsOf(
  file: string,
  tools: readonly string[],
  commands: readonly string[],
): SampleCall[] {
  const quoted = /^[\w./-]+$/.test(file) ? file : `'${file.replaceAll("'", "'\\''")}'`
  return [
    { tool: 'Edit', input: { file_path: file, old_string: 'a', new_string: 'b' } },
    { tool: 'Write', input: { file_path: file, content: 'x' } },
    bash(`touch ${quoted}`),
    ...commands.map((command) => bash(`${command} > ${quoted}`)),
    ...tools
      .filter((tool) => tool.startsWith('mcp__'))
      .map((tool) => ({ tool, input: { path: file, content: 'x' } })),
  ]
}

function commandsOf(machine: Machine): string[] {
  return [...machine.states.values()].flatMap(({ shell, tools }) => [
    ...(shell.allowedCommands ?? []).map((words) => words.join(' ')),
    ...(tools?.commandPatterns ?? []).map(({ words }) => words.join(' ')),
  ])
}

function toolsOf(machine: Machine): string[] {
  return [...machine.states.values()].flatMap((state) => listedTools(state))
}

/** A star at the end stands for any name; one of them is enough. */
function listedTools({ toolNames }: MachineState): string[] {
  return (toolNames ?? [])
    .filter((name) => !name.includes('(') && name !== '*')
    .map((name) => (name.endsWith('*') ? `${name.slice(0, -1)}any` : name))
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
  const server = [...list.serverTools].map((key) => {
    const colon = key.indexOf(':')
    const length = Number(key.slice(0, colon))
    const [name, tool] = [key.slice(colon + 1, colon + 1 + length), key.slice(colon + 1 + length)]
    return `mcp__${name}__${tool}`
  })
  const starred = list.prefixes.map(({ kind, server: name, tool }) => {
    if (kind === 'own_tools_of_client') return `${tool}any`
    return kind === 'servers' ? `mcp__${name}any__any` : `mcp__${name}__${tool}any`
  })
  const tools = [...list.names, ...server, ...starred, ...(list.any ? ['Read'] : [])]
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
