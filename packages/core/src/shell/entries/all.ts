import type { ProgramEntry } from '../programs/entry.ts'
import { archives } from './archives.ts'
import { build } from './build.ts'
import { files } from './files.ts'
import { git } from './git.ts'
import { network } from './network.ts'
import { packages } from './packages.ts'
import { services } from './services.ts'
import { system } from './system.ts'
import { text } from './text.ts'
import { wrappers } from './wrappers.ts'

/** Every program we know. A later entry of the same name would hide an earlier one. */
export const allEntries: readonly ProgramEntry[] = [
  ...text,
  ...files,
  ...archives,
  ...git,
  ...system,
  ...network,
  ...packages,
  ...build,
  ...services,
  ...wrappers,
]
