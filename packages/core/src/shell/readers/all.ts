import type { Reader } from '../programs/apply.ts'

export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>()
