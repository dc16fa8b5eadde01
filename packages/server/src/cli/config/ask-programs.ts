import type { Waiting } from '../../config/pinned.ts'
import { askLine, hasTerminal } from '../ask.ts'
import { say } from '../command.ts'
import { printable } from '../output/report.ts'

/**
 * Asks the person who first starts the server of a project whether its programs may run.
 * Later changes take the proof of a person, which nobody can have before there was a server.
 */
export function askPrograms(options: { readonly json?: true }): {
  readonly askFirst?: (waiting: Waiting) => Promise<boolean>
} {
  if (options.json === true || !hasTerminal()) return {}
  return {
    async askFirst({ changes }) {
      say('The configuration of this project starts programs or sends data to services:')
      for (const { key, loosens } of changes) {
        // Not wrapped: a command line is looked at as it is.
        if (loosens !== null) say(printable(`  ${key}: ${loosens}`))
      }
      const answer = await askLine('Do you trust them? [y/N] ')
      return /^y(es)?$/i.test(answer.trim())
    },
  }
}
