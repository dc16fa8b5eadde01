import type { HereDoc, HereString, Redirection } from 'unbash'
import { phrase } from '../base/text/phrase.ts'
import {
  type Arg,
  isSink,
  newBuilder,
  noteUnknown,
  noteUnproven,
  spanOf,
  type Walk,
} from './context.ts'
import { noteEnvironmentFile } from './environment-files.ts'
import type { Span } from './findings.ts'
import { holdsExpansion } from './leaves.ts'
import { assign, kinds, type Stdin, someNumber } from './scope.ts'
import { noteAssignment } from './variables.ts'
import { addParts, resolveSingle, resolveTargets } from './words.ts'
import { noteFiles } from './workspace-files.ts'

/**
 * Reads redirections: what they open for writing is noted for the command with the given index,
 * and what standard input becomes is answered.
 */
export function walkRedirects(
  walk: Walk,
  redirects: readonly Redirection[],
  command: number | null,
): Stdin {
  let stdin = walk.stdin
  for (const redirect of redirects) {
    walk.notes.steps++
    const descriptor = redirect.descriptor
    // `exec {x}>&1` puts a number into x.
    if (descriptor?.type === 'FileDescriptorVariable') {
      const name = descriptor.name.replace(/\[.*/s, '')
      noteAssignment(walk, name, someNumber, spanOf(walk, redirect))
      assign(walk.scope, name, someNumber)
    }
    const isInput = descriptor === undefined || isDescriptor(descriptor, 0)
    const next = walkRedirect(walk, redirect, command)
    if (isInput) stdin = next ?? stdin
  }
  return stdin
}

/** What standard input becomes by a redirection of it; undefined where it stays what it was. */
function walkRedirect(
  walk: Walk,
  redirect: Redirection,
  command: number | null,
): Stdin | undefined {
  if (redirect.type === 'HereDoc') return readHereDoc(walk, redirect)
  const at = spanOf(walk, redirect)
  if (redirect.target === undefined) {
    noteUnknown(walk, 'syntax', at, phrase('sh_redirect_without_target'))
    return undefined
  }
  if (walk.source.charCodeAt(redirect.target.end) === 35) {
    noteUnknown(walk, 'syntax', at, phrase('sh_hash_in_word'))
  }
  if (redirect.type === 'HereString') return textInput(resolveSingle(walk, redirect.target))
  let stdin: Stdin | undefined
  for (const target of resolveTargets(walk, redirect.target)) {
    stdin = openTarget(walk, redirect, target, command) ?? stdin
  }
  return stdin
}

/** Notes what a redirection opens, and answers what standard input becomes by it. */
function openTarget(
  walk: Walk,
  redirect: Exclude<Redirection, HereDoc | HereString>,
  target: Arg,
  command: number | null,
): Stdin | undefined {
  const at = spanOf(walk, redirect)
  noteReopened(walk, redirect, target)
  switch (redirect.operator) {
    case '<':
      noteRead(walk, target)
      return inputFrom(walk, target)
    case '<&':
    case '>&':
      noteCopy(walk, target, at, command)
      return redirect.operator === '<&' ? { kind: 'unknown' } : undefined
    case '<>':
      noteRead(walk, target)
      noteTarget(walk, target, at, command)
      return { kind: 'unknown' }
    case '>':
    case '>>':
    case '>|':
    case '&>':
    case '&>>':
      noteTarget(walk, target, at, command)
      return undefined
    default:
      redirect.operator satisfies never
      noteUnknown(walk, 'syntax', at, phrase('sh_redirect_not_known'))
      return undefined
  }
}

const outputByName = /\/dev\/(?:std(?:out|err)|fd\/)|\/proc\/self\/fd/

/** Where an output is a file that was opened for reading, its name opens that file for writing. */
function noteReopened(
  walk: Walk,
  { descriptor, operator }: Redirection & { readonly operator: string },
  target: Arg,
): void {
  if (!outputByName.test(walk.source)) return
  const isInput = descriptor === undefined || isDescriptor(descriptor, 0)
  const takesInput = operator.startsWith('<') && !isInput
  const copiesInput = operator === '>&' && target.text !== '1' && target.text !== '2'
  if (!takesInput && !copiesInput) return
  noteUnproven(walk, 'computed', target, phrase('sh_reopens_input'))
}

function isDescriptor(descriptor: { readonly type: string }, value: number): boolean {
  return 'value' in descriptor && descriptor.value === value
}

function noteTarget(walk: Walk, target: Arg, at: Span, command: number | null): void {
  if (target.process === '>' && target.shape === '\0') return
  if (target.text !== null && isSink(target.text)) return
  noteConnection(walk, target)
  const path = target.text
  const shown = path ?? phrase('sh_computed_file')
  const message = phrase('sh_redirects', { target: shown })
  walk.notes.writes.push({ how: 'redirect', path, command, start: at.start, end: at.end, message })
}

/** Copying descriptors is harmless; a name after `>&` is a file, and bash expands it twice. */
function noteCopy(walk: Walk, target: Arg, at: Span, command: number | null): void {
  if (target.text !== null && /^(?:\d{1,9}-?|-)$/.test(target.text)) return
  // A plain path stays the same however often it is expanded.
  if (target.text !== null && /^\/[\w./-]+$/.test(target.text)) {
    noteTarget(walk, target, at, command)
    return
  }
  noteUnknown(walk, 'syntax', at, phrase('sh_descriptor_name'))
}

function noteRead(walk: Walk, target: Arg): void {
  noteFiles(walk, 'cat', [target])
  noteEnvironmentFile(walk, target)
  if (/^\/dev\/(?:tcp|udp|[^/]*\0)/.test(target.shape)) {
    noteUnknown(walk, 'effect', target, phrase('sh_opens_network_connection'))
    return
  }
  noteConnection(walk, target)
  if (target.process !== '') return
  walk.notes.reads.push({ path: target.text, start: target.start, end: target.end })
}

/** Whatever a file holds, or a program prints, may be the name of a connection. */
function noteConnection(walk: Walk, { shape, kind, text, process, ...at }: Arg): void {
  if (text !== null || process !== '') return
  const mayConnect = shape.startsWith('\0') ? kind === kinds.any : /^\/dev\/[^/]*\0/.test(shape)
  if (mayConnect) noteUnproven(walk, 'computed', at, phrase('sh_may_open_connection'))
}

function inputFrom(walk: Walk, target: Arg): Stdin {
  if (target.text === '/dev/null') return { kind: 'empty' }
  if (target.text === '/dev/stdin' || target.text === '/dev/fd/0') return walk.stdin
  return { kind: 'unknown' }
}

function textInput(target: Arg): Stdin {
  if (target.text === null) return { kind: 'unknown' }
  return { kind: 'text', text: target.text, at: target, verbatim: target.verbatim }
}

/**
 * Inside `$(…)` bash ends a here-document at a line that begins with the delimiter and holds a
 * bracket, and runs the rest of that line.
 */
function endsEarly(body: string, delimiter: string): boolean {
  if (!body.includes(')')) return false
  return body.split('\n').some((line) => line.startsWith(delimiter) && line.includes(')'))
}

function readHereDoc(walk: Walk, doc: HereDoc): Stdin {
  const { body, delimiter } = doc
  const at = spanOf(walk, body.end > body.pos ? body : doc)
  if (delimiter === undefined) {
    noteUnknown(walk, 'syntax', at, phrase('sh_here_document_without_delimiter'))
    return { kind: 'unknown' }
  }
  const stripped = doc.operator === '<<-' ? body.text.replace(/^\t+/gm, '') : body.text
  if (doc.closing === undefined || endsEarly(stripped, delimiter.value)) {
    noteUnknown(walk, 'syntax', at, phrase('sh_here_document_without_end'))
  }
  if (delimiter.quoted) {
    if (stripped.includes('[') && holdsExpansion(stripped)) walk.notes.hasSubscriptText = true
    const verbatim = walk.within === null && stripped === body.text ? at.start : -1
    return { kind: 'text', text: stripped, at, verbatim }
  }
  const { parts } = body
  if (parts === undefined) {
    if (holdsExpansion(body.text.replace(/\\[\\$`]/g, ''))) {
      noteUnknown(walk, 'syntax', at, phrase('sh_here_document_not_read'))
    }
    if (body.text.includes('\\')) return { kind: 'unknown' }
    return { kind: 'text', text: stripped, at, verbatim: -1 }
  }
  for (const part of parts) {
    const isQuote = part.type === 'SingleQuoted' || part.type === 'AnsiCQuoted'
    if ((isQuote || part.type === 'DoubleQuoted') && holdsExpansion(part.text)) {
      noteUnknown(walk, 'syntax', at, phrase('sh_quotes_in_here_document'))
    }
  }
  const builder = newBuilder()
  addParts(walk, parts, builder, true)
  return { kind: 'unknown' }
}
