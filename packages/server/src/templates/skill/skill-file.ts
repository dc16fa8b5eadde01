import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { err, ok, type Problem, type Result } from '@statewright/core/internal'
import { skillLimits } from './limits.ts'
import { readSkill, type Skill } from './read-skill.ts'

export interface SkillFile extends Skill {
  readonly file: string
}

/** Reads a skill from its file, or from the folder that holds its SKILL.md. */
export function readSkillFile(path: string): Result<SkillFile, Problem> {
  const file = isFolder(path) ? join(path, 'SKILL.md') : path
  const bytes = readBounded(file)
  if (!bytes.ok) return bytes
  const text = decoded(bytes.value)
  if (text === undefined) return err(unreadable(file, 'it is not a text in UTF-8'))
  const skill = readSkill(text, basename(dirname(resolve(file))))
  return skill.ok ? ok({ ...skill.value, file }) : err({ ...skill.error, where: file })
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory()
  } catch {
    return false
  }
}

function readBounded(file: string): Result<Uint8Array, Problem> {
  let descriptor: number | undefined
  try {
    // A pipe would let us wait for its writer.
    descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
    if (!fstatSync(descriptor).isFile()) return err(unreadable(file, 'it is not a regular file'))
    const bytes = new Uint8Array(skillLimits.fileBytes + 1)
    let length = 0
    while (length < bytes.length) {
      const count = readSync(descriptor, bytes, length, bytes.length - length, null)
      if (count === 0) return ok(bytes.subarray(0, length))
      length += count
    }
    return err(unreadable(file, `it is larger than ${skillLimits.fileBytes / 1024} KiB`))
  } catch (fault) {
    const code = fault instanceof Error && 'code' in fault ? String(fault.code) : 'unknown'
    return err(unreadable(file, code === 'ENOENT' ? 'there is no such file' : code))
  } finally {
    if (descriptor !== undefined) closeSync(descriptor)
  }
}

function decoded(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    return undefined
  }
}

function unreadable(file: string, why: string): Problem {
  return {
    code: 'file_unreadable',
    message: `The skill could not be read: ${why}.`,
    where: file,
    next: 'name a SKILL.md, or the folder that holds one.',
  }
}
