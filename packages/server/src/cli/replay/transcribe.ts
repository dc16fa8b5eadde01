import { hash } from 'node:crypto'
import {
  describeFor,
  isJsonObject,
  oneLine,
  type Program,
  type ProgramTable,
  programOf,
  shellInput,
  type ToolCall,
  type TranscribedCall,
} from '@statewright/core/internal'
import { redactText } from '../../base/redact.ts'
import { codingClients } from '../../clients/coding-clients.ts'
import type { CodingClientName } from '../../transcripts/clients.ts'
import type { TranscriptCall } from '../../transcripts/transcript.ts'

/** A call of a transcript as the guard would have seen it, and as a person reads it. */
export interface Transcribed {
  readonly request: TranscribedCall
  readonly program: string
  readonly shown: string
}

/** The text of a file before a call; null where it was new, undefined where nobody knows. */
export type TextBefore = (path: string) => string | null | undefined

const shownLength = 200

export function transcribe(
  { at, id, tool, server, input, cwd, agent }: TranscriptCall,
  where: {
    readonly client: CodingClientName
    readonly root: string
    readonly program: Program
    readonly programs: ProgramTable
    readonly textBefore: TextBefore
  },
): Transcribed {
  const unknownText: string[] = []
  const oldText = (path: string) => {
    const text = where.textBefore(path)
    if (text === undefined) unknownText.push(path)
    return text ?? undefined
  }
  const readsByShell = codingClients.get(where.client)?.readsByShell === true
  const call = describeFor(
    where.program,
    { id, tool, input, ...(server === undefined ? {} : { server }), readsByShell },
    {
      root: where.root,
      ...(cwd === undefined ? {} : { cwd }),
      oldText,
      shell: { programs: where.programs },
      hashText: (text) => hash('sha256', text),
    },
  )
  const shown = shownCall(call, input)
  const request = {
    at,
    call,
    command: shown,
    unknownText,
    ...(agent === undefined ? {} : { agent }),
  }
  return { request, program: programOf(call), shown }
}

/** One line: the command, or the tool and the file, or the tool and what it was given. */
function shownCall(call: ToolCall, input: unknown): string {
  const command = call.shell === undefined ? undefined : shellInput(input)?.command
  const text =
    command === undefined ? `${call.tool} ${inputWords(call, input)}` : [command].flat().join(' ')
  return oneLine(redactText(text), shownLength)
}

function inputWords({ edits = [] }: ToolCall, input: unknown): string {
  const files = [...new Set(edits.map(({ path }) => path))]
  if (files.length > 0) return files.join(', ')
  if (typeof input === 'string') return input
  if (!isJsonObject(input)) return ''
  const [first] = Object.values(input).filter((value) => typeof value === 'string')
  return first ?? ''
}
