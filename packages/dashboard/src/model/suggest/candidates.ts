import {
  canonicalTool,
  type Reason,
  splitCommandWords,
  type ToolCall,
} from '@statewright/core/internal'
import { addToList, setField } from '../text/edit-text.ts'

/** One edit of a definition, and what comes with it. */
export interface Change {
  readonly path: readonly string[]
  readonly what: string
  /** What else would be allowed, so that nobody opens more than they meant to. */
  readonly alsoAllows: string
}

export interface Candidate {
  readonly text: string | null
  readonly change: Change
}

/** What the state has counted when the call was denied. */
export interface StateCounts {
  readonly iterations: number
  readonly bytes: number
  readonly files: number
}

export interface Denied {
  readonly text: string
  readonly state: string
  readonly call: ToolCall
  readonly counted: StateCounts
  /** A field of the state, as it is written now. */
  readonly field: (name: string) => unknown
}

/** Edits that may lift a reason, the narrowest first; none where no rule should give way. */
export function candidates(reason: Reason, denied: Denied): readonly Candidate[] {
  if (denied.state === '') return []
  switch (reason.code) {
    case 'tool_not_allowed':
      return [...commandEntries(denied), ...toolEntries(denied)]
    case 'command_not_allowed':
      return reason.path.endsWith('.allowed_commands')
        ? [...commandList(denied)]
        : [...commandEntries(denied), ...toolEntries(denied)]
    case 'shell_write':
      return [...commandEntries(denied), tools(denied, ['Write'])]
    case 'shell_background':
      return [
        field(denied, 'background', true, 'Let the shell start background work', {
          also: `every command in ${denied.state} may keep running in the background`,
        }),
      ]
    case 'env_blocked':
      return environment(denied)
    case 'edit_too_large': {
      const lines = Math.max(0, ...(denied.call.edits ?? []).map((edit) => edit.lines))
      return [
        limit(
          denied,
          'max_edit_lines',
          lines,
          `every edit in ${denied.state} up to ${lines} lines`,
        ),
      ]
    }
    case 'too_many_files': {
      const files = new Set((denied.call.edits ?? []).map((edit) => edit.path)).size
      const max = denied.counted.files + Math.max(1, files)
      const also = `any ${max} files may be changed in ${denied.state}`
      return [limit(denied, 'max_files_per_state', max, also)]
    }
    case 'iterations_exhausted': {
      const max = denied.counted.iterations + 1
      const also = `${max} tool calls in ${denied.state}, in every run`
      return [limit(denied, 'max_iterations', max, also)]
    }
    case 'context_budget_exhausted': {
      const max = Math.ceil((denied.counted.bytes + 1) / 10_000) * 10_000
      const also = `tool results of up to ${max} bytes in ${denied.state}, in every run`
      return [limit(denied, 'context_budget_bytes', max, also)]
    }
    default:
      return []
  }
}

/** The tool by its own name, or what a patch needs. */
function toolEntries(denied: Denied): readonly Candidate[] {
  const own = canonicalTool(denied.call.tool)
  const sets =
    (denied.call.edits ?? []).length === 0
      ? [[own]]
      : [[own], ['Edit'], ['Write'], ['Edit', 'Write']]
  return sets.map((names) => tools(denied, names))
}

function tools(denied: Denied, names: readonly string[]): Candidate {
  const { text, state } = denied
  const path = ['states', state, 'allowed_tools']
  const listed = names.join(' and ')
  const isShell = names.includes('Bash')
  const isNarrowed = denied.field('allowed_commands') !== undefined
  const scope = isShell
    ? isNarrowed
      ? `the shell in ${state}, for the commands in its allowed_commands`
      : `every shell command in ${state} that changes no files`
    : names.includes('Write') && denied.call.shell !== undefined
      ? `writing any file in ${state}, with Write and with the shell`
      : `every call of ${listed} in ${state}, whatever its arguments`
  return {
    text: addToList(text, path, names),
    change: { path, what: `Add ${listed} to the tools of ${state}`, alsoAllows: scope },
  }
}

/** `Bash(npm test)`: exactly one command, where it is one that can be written down. */
function commandEntries(denied: Denied): readonly Candidate[] {
  const { call, text, state } = denied
  const words = call.shell?.whole ?? null
  if (words === null || words.some((word) => /[\s*()'"]/.test(word) || word === '')) return []
  if (denied.field('allowed_commands') !== undefined) return []
  const entry = `Bash(${words.join(' ')})`
  const path = ['states', state, 'allowed_tools']
  return [
    {
      text: addToList(text, path, [entry]),
      change: {
        path,
        what: `Add ${entry} to the tools of ${state}`,
        alsoAllows: `this exact command in ${state}, with whatever it does; nothing else`,
      },
    },
  ]
}

/** Entries for the commands of the call that no entry covers yet. */
function* commandList(denied: Denied): Generator<Candidate> {
  const { call, text, state } = denied
  const listed = denied.field('allowed_commands')
  const known = (Array.isArray(listed) ? listed : []).map((one) => splitCommandWords(String(one)))
  const entries: string[] = []
  for (const command of call.shell?.commands ?? []) {
    if (command.kind === 'function' || command.kind === 'steer') continue
    const isCovered = known.some((words) =>
      words.every((word, index) => command.words[index] === word),
    )
    if (isCovered) continue
    const end = command.words.indexOf(null)
    const words = end === -1 ? command.words : command.words.slice(0, end)
    // A program whose name is computed can be listed by nobody.
    if (words.length === 0) return
    entries.push(words.map((word) => quoted(word ?? '')).join(' '))
  }
  if (entries.length === 0) return
  const path = ['states', state, 'allowed_commands']
  const names = entries.map((entry) => `\`${entry}\``).join(' and ')
  yield {
    text: addToList(text, path, entries),
    change: {
      path,
      what: `Add ${names} to the commands of ${state}`,
      alsoAllows: `${names} in ${state} with any further arguments`,
    },
  }
}

function environment(denied: Denied): readonly Candidate[] {
  const name = denied.field('deny_env') === undefined ? 'blocked_env' : 'deny_env'
  const blocked = denied.field(name)
  if (!Array.isArray(blocked)) return []
  const read = new Set((denied.call.shell?.environment ?? []).flatMap(({ names }) => names ?? []))
  const lifted = blocked.filter((one) => read.has(String(one)))
  // A command that can show every variable needs another spelling, not an open list.
  if (lifted.length === 0) return []
  const left = blocked.filter((one) => !lifted.includes(one))
  const names = lifted.join(', ')
  const also = `every command in ${denied.state} may read ${names}`
  return [
    field(denied, name, left.length === 0 ? undefined : left, `Take ${names} out of ${name}`, {
      also,
    }),
  ]
}

function limit(denied: Denied, name: string, max: number, also: string): Candidate {
  return field(denied, name, max, `Raise ${name} of ${denied.state} to ${max}`, { also })
}

function field(
  denied: Denied,
  name: string,
  value: unknown,
  what: string,
  { also }: { readonly also: string },
): Candidate {
  const path = ['states', denied.state, name]
  return { text: setField(denied.text, path, value), change: { path, what, alsoAllows: also } }
}

function quoted(word: string): string {
  if (word !== '' && !/[\s'"]/.test(word)) return word
  return word.includes("'") ? `"${word}"` : `'${word}'`
}
