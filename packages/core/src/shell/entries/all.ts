import type { ProgramEntry } from '../programs/entry.ts'

export const allEntries: readonly ProgramEntry[] = []
