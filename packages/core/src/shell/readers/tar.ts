import { phrase } from '../../base/text/phrase.ts'
import { type Arg, isSink, noteUnproven, noteWrite, type Walk } from '../context.ts'
import type { CommandKind } from '../findings.ts'
import type { Call } from '../programs/call.ts'
import { asksForHelp, noteRemote, noteUnclear, runCommandLine } from '../programs/effects.ts'
import { parseOptions, type Used } from '../programs/options.ts'
import { compileOptions } from '../programs/table.ts'
import { kinds } from '../scope.ts'

const options = compileOptions({
  does: 'read',
  options: {
    quiet: '-t --list -d --diff --compare',
    write:
      '-x --extract --get -r --append -u --update -A --catenate --concatenate ' +
      '--delete --remove-files',
    run:
      '-I: --use-compress-program: --to-command: -F: --info-script: ' +
      '--new-volume-script: --rsh-command: --rmt-command:',
    writeAlso: '-g: --listed-incremental: --index-file: --volno-file:',
    flag:
      '-c --create -f: --file: -v -vv --verbose -z -j -J -Z -a --gzip --bzip2 --xz ' +
      '--zstd --lzma --lz4 --auto-compress -C: --directory: -O --to-stdout -p -k -m ' +
      '-o -P -h -l -i -n -s -w -W -B -R -S -U -G -T: --files-from: -X: ' +
      '--exclude-from: --exclude: --strip-components: --transform: --xform: -H: ' +
      '--format: -b: -K: -N: -V: --newer: --mtime: --owner: --group: --mode: ' +
      '--wildcards --no-wildcards --anchored --no-anchored --checkpoint? --totals? ' +
      '--show-transformed-names --numeric-owner --full-time --quoting-style: ' +
      '--sort: --occurrence? --warning: --null --no-recursion --one-file-system ' +
      '--ignore-failed-read --exclude-vcs --label: --utc --no-same-owner ' +
      '--overwrite --keep-old-files --no-same-permissions --preserve-permissions ' +
      '--same-owner --pax-option: --block-number --starting-file: ' +
      '--verbatim-files-from',
  },
})

/** tar: listing reads; making and unpacking write, unless to the terminal. */
export function readTar(walk: Walk, call: Call): CommandKind {
  const args = withOldBundle(call.args)
  const checkpoint = args.find((arg) => /^--checkpoint-a/.test(arg.shape))
  const parsed = parseOptions(
    options,
    args.filter((arg) => arg !== checkpoint),
  )
  noteUnclear(walk, { ...call, program: options }, parsed)
  if (checkpoint !== undefined)
    noteUnproven(walk, 'code', checkpoint, phrase('sh_tar_runs_checkpoint_action'))
  const has = (...names: string[]) => parsed.used.some(({ option }) => names.includes(option.name))
  if (asksForHelp(call)) return 'read'
  // To some it is an archive whose description may name any file.
  const described = parsed.operands.find(({ shape }) => shape.startsWith('@'))
  if (described !== undefined) {
    noteUnproven(walk, 'option', described, phrase('sh_unknown_option', { program: call.title }))
  }
  for (const { option, value } of parsed.used) {
    if (/^(?:-T|--files-from)$/.test(option.name) && value !== null) {
      noteUnproven(walk, 'file', value, phrase('sh_file_not_of_workspace'))
    }
    // `host:file` is fetched by rsh or ssh.
    const isFile = option.name === '-f' || option.name === '--file'
    if (isFile && value !== null && mayBeRemote(value)) noteRemote(walk, call, value)
  }
  const isClear = checkpoint === undefined && parsed.unknown.length === 0
  const isChanged = noteChanges(walk, parsed.used)
  let kind: CommandKind = isClear && !isChanged ? 'read' : 'other'
  if (has('-c', '--create')) {
    if (noteArchive(walk, call, parsed.used)) kind = 'other'
  } else if (kind === 'read' && args.length > 0 && !has(...lists, '-x', '--extract', '--get')) {
    noteUnproven(walk, 'option', call.at, phrase('sh_tar_without_known_mode'))
    kind = 'other'
  }
  return kind
}

const lists = ['-t', '--list', '-d', '--diff', '--compare']

/** Programs that are run and files that are written besides the archive. */
function noteChanges(walk: Walk, used: readonly Used[]): boolean {
  const has = (names: readonly string[]) => used.some(({ option }) => names.includes(option.name))
  const [toOutput, isList] = [has(['-O', '--to-stdout']), has(lists)]
  let isChanged = false
  for (const { option, value, at } of used) {
    const { role, name } = option
    if (role === 'run') {
      isChanged = true
      runCommandLine(walk, value, at)
    } else if (role === 'writeAlso') {
      isChanged = true
      const message = phrase('sh_writes_file', { program: `tar ${name}` })
      noteWrite(walk, 'file', value?.text ?? null, at, message)
    } else if (role === 'write') {
      if (toOutput && /^(?:-x|--extract|--get)$/.test(name)) continue
      if (isList && name === '-u') continue
      isChanged = true
      noteWrite(walk, 'file', null, at, phrase('sh_tar_writes_files', { name }))
    }
  }
  return isChanged
}

/** The archive that is made; false where it goes to the output. */
function noteArchive(walk: Walk, call: Call, used: readonly Used[]): boolean {
  const file = used.find(({ option }) => /^(?:-f|--file)$/.test(option.name))?.value
  const path = file?.text ?? null
  if (path !== null && (path === '-' || isSink(path))) return false
  noteWrite(walk, 'file', path, file ?? call.at, phrase('sh_tar_writes_archive'))
  return true
}

/** The first word may be a bundle without a dash, whose values follow in order. */
function withOldBundle(args: readonly Arg[]): readonly Arg[] {
  const first = args[0]
  if (first?.text == null || first.text.startsWith('-') || first.text.length > 40) return args
  const made: Arg[] = []
  let next = 1
  for (const letter of first.text) {
    const shape = `-${letter}`
    made.push({ ...first, text: shape, shape, verbatim: -1 })
    if (options.options.get(shape)?.takes === 'value') {
      const value = args[next++]
      if (value !== undefined) made.push(value)
    }
  }
  return [...made, ...args.slice(next)]
}

/** `host:file`, or a name that may be one; behind a folder a colon is nothing but a colon. */
function mayBeRemote({ text, shape, kind }: Arg): boolean {
  if (/^[^/]*:/.test(shape)) return true
  return text === null && kind >= kinds.name && /^[^/]*[\0*?[]/.test(shape)
}
