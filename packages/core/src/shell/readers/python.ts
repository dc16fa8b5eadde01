import { phrase } from '../../base/text/phrase.ts'
import { noteUnproven, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import { applyEntry } from '../programs/apply.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp } from '../programs/effects.ts'
import { findProgram } from '../programs/table.ts'

/** Modules that are programs with an entry of their own. */
const modules = new Set(
  (
    'pytest unittest mypy pylint flake8 pyflakes tox nox ruff pip black isort coverage ' +
    'poetry uv virtualenv json.tool'
  ).split(' '),
)
const plainFlags = /^-[BEIOPqsSu]+$/

/** `python -m pip list` is `pip list`; any other code of Python is not read. */
export function readPython(walk: Walk, call: Call): CommandKind {
  if (asksForHelp(call)) return 'read'
  const { args } = call
  const at = args.findIndex(({ shape }) => !plainFlags.test(shape))
  const name = args[at + 1]?.text
  if (at === -1 || args[at]?.text !== '-m' || name == null) return applyEntry(walk, call)
  // A module of that name in the folder where it stands comes first, unless Python is told not to.
  const isIsolated = args.slice(0, at).some(({ shape }) => /^-\w*[IP]/.test(shape))
  if (!isIsolated) {
    noteUnproven(
      walk,
      'runner',
      call.at,
      phrase('sh_script_by_name', { program: `${call.title} -m` }),
    )
  }
  const program = modules.has(name) ? findProgram(walk.programs, name) : undefined
  const title = `${call.title} -m ${name}`
  if (program === undefined) {
    noteUnproven(walk, 'program', call.at, phrase('sh_unknown_program', { program: title }))
    return 'other'
  }
  const kind = call.read(walk, { program, title, args: args.slice(at + 2), at: call.at })
  return isIsolated ? kind : 'other'
}
