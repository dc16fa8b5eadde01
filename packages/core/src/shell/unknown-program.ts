import { phrase } from '../base/text/phrase.ts'
import { type Arg, isSink, noteUnknown, noteUnproven, noteWrite, type Walk } from './context.ts'
import type { CommandKind, Span } from './findings.ts'

/** Options by which any program shows that it writes. */
const writing = new RegExp(
  '^--(?:out(?:put|file|dir)?(?:-(?:file|dir|path|directory))?|in-?place|write|fix|overwrite|' +
    'save(?:-.*)?|log-?file|delete|output-.*)$',
)

/** First words by which any program shows that it changes something. */
const changingVerbs =
  /^(?:install|uninstall|deploy|undeploy|publish|unpublish|push|destroy|upgrade|provision|release)$/

/** Words behind -o that name a format, not a file. */
const formats =
  /^(?:json|jsonl|yaml|yml|table|wide|text|name|csv|tsv|plain|pretty|xml|none|jsonpath.*|sarif)$/

/**
 * Nothing is known of a program without an entry, so that it is not proven to read; some of its
 * arguments show a write all the same (SH-6).
 */
export function unknownProgram(
  walk: Walk,
  base: string,
  name: string,
  args: readonly Arg[],
  at: Span,
): CommandKind {
  if (/^ld(?:-linux.*|-musl.*)?\.so|^ld-/.test(base)) {
    const program = args.findIndex((arg) => !arg.shape.startsWith('-'))
    noteUnproven(walk, 'program', at, phrase('sh_unknown_program', { program: base }))
    if (program !== -1) walk.runArgs({ ...walk, via: 'program' }, args.slice(program), at)
    return 'other'
  }
  if (name.startsWith('/proc/') || name.startsWith('/dev/')) {
    noteUnknown(walk, 'name', at, phrase('sh_whatever_program_stands_behind', { name }))
    return 'other'
  }
  noteUnproven(walk, 'program', at, phrase('sh_unknown_program', { program: base }))
  // By npm's convention a program of that name makes a new project.
  if (base.startsWith('create-') && args.length > 0) {
    noteWrite(walk, 'file', null, at, phrase('sh_makes_project', { base }))
  }
  const verb = args[0]
  if (verb?.text != null && changingVerbs.test(verb.text) && args[1]?.text !== '--help') {
    noteWrite(
      walk,
      'state',
      null,
      verb,
      phrase('sh_changes_lasting_state', { program: `${base} ${verb.text}` }),
    )
  }
  args.forEach((arg, index) => {
    const { shape } = arg
    if (!shape.startsWith('-')) return
    const equals = shape.indexOf('=')
    const option = equals === -1 ? shape : shape.slice(0, equals)
    const isOutput = option === '-o' || writing.test(option)
    if (!isOutput) return
    const value = equals === -1 ? args[index + 1]?.text : shape.slice(equals + 1)
    if (value === '-' || (value != null && isSink(value))) return
    if (option === '-o' && formats.test(value ?? '')) return
    if (option === '-o' && (value === undefined || value?.startsWith('-'))) return
    noteWrite(walk, 'file', null, arg, phrase('sh_writes', { program: `${base} ${option}` }))
  })
  return 'other'
}
