import { z } from 'zod'
import type { ProgramEntry } from './programs/entry.ts'
import { compilePrograms, type ProgramTable } from './programs/table.ts'

const options = z.string().max(10_000)

const facts = {
  does: z
    .enum(['read', 'write', 'change', 'pass'])
    .describe(
      'read: only reads and prints; write: changes files; change: changes other lasting state; ' +
        'pass: runs code of the project.',
    ),
  flags: options
    .optional()
    .describe('Options that write nothing, as "-v --json --env:"; a colon marks a value.'),
  quiet: options.optional().describe('Options with which it only prints, such as --dry-run.'),
  writes: options.optional().describe('Options with which it writes or changes something.'),
  reach: z
    .enum(['network', 'environment', 'processes', 'machine'])
    .optional()
    .describe('What it reads beyond files; not allowed where a state has no shell.'),
}
const Subcommand = z.strictObject(facts)
const ShellProgram = z.strictObject({
  ...facts,
  subcommands: z
    .record(z.string().min(1).max(200), Subcommand)
    .optional()
    .describe('What its subcommands do, by name; one that is not named is not known.'),
})
export type ShellProgram = z.infer<typeof ShellProgram>

const programName = z.string().regex(/^[^\s/]{1,200}$/, 'A name without blanks and slashes.')

/** What a project knows of programs that we do not know (SH-5). */
export const ShellConfig = z.strictObject({
  programs: z
    .record(programName, ShellProgram)
    .optional()
    .describe('What programs do, by name; it overrides what Statewright knows of them.'),
})
export type ShellConfig = z.infer<typeof ShellConfig>

/** The table that the analysis of commands looks into first. */
export function programTable({ programs = {} }: ShellConfig): ProgramTable {
  const entries = Object.entries(programs).map(([names, program]): ProgramEntry => {
    const { subcommands } = program
    if (subcommands === undefined) return { names, ...entryOf(program) }
    const sub = Object.entries(subcommands).map(([name, one]) => [name, entryOf(one)])
    return { names, ...entryOf(program), sub: Object.fromEntries(sub) }
  })
  return compilePrograms(entries)
}

function entryOf({ does, flags, quiet, writes, reach }: z.infer<typeof Subcommand>) {
  return {
    does,
    options: {
      ...(flags === undefined ? {} : { flag: flags }),
      ...(quiet === undefined ? {} : { quiet }),
      ...(writes === undefined ? {} : { change: writes }),
    },
    ...(reach === undefined ? {} : { reach }),
  }
}
