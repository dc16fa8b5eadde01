import type { ProgramEntry } from '../programs/entry.ts'
import { archives } from './archives.ts'
import { binary } from './binary.ts'
import { build } from './build.ts'
import { checkers } from './checkers.ts'
import { data } from './data.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { interpreters } from './interpreters.ts'
import { listing } from './listing.ts'
import { network } from './network.ts'
import { packages } from './packages.ts'
import { search } from './search.ts'
import { services } from './services.ts'
import { system } from './system.ts'
import { text } from './text.ts'
import { wrappers } from './wrappers.ts'

/** Every program we know. A later entry of the same name would hide an earlier one. */
export const allEntries: readonly ProgramEntry[] = [
  ...text,
  ...search,
  ...listing,
  ...binary,
  ...data,
  ...files,
  ...archives,
  ...git,
  ...system,
  ...network,
  ...packages,
  ...build,
  ...checkers,
  ...services,
  ...wrappers,
  ...interpreters,
]
