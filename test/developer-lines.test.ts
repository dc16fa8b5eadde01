import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { analyzeShell, judgeShell, type ShellFindings } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { openRules } from './shell-fuzz/rules.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

function scripts(): string[] {
  const files = ['package.json', 'packages/core/package.json', 'packages/server/package.json']
  return files.flatMap((file) => {
    const found: { readonly scripts?: Readonly<Record<string, string>> } = JSON.parse(read(file))
    return Object.values(found.scripts ?? {})
  })
}

function pages(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.md'))
    .map((name) => join(folder, name))
}

/** Commands in fences: those of a shell as they are, those of a session behind their prompt. */
function commandsIn(page: string): string[] {
  const lines: string[] = []
  for (const [, language = '', body = ''] of read(page).matchAll(/^```(\w*)\n(.*?)^```/gms)) {
    const text = body.replaceAll(/\\\n\s*/g, '')
    const all = text.split('\n')
    const prompted = all.filter((line) => line.startsWith('$ '))
    // Of a session only what stands behind a prompt is a command.
    if (prompted.length > 0) lines.push(...prompted)
    else if (/^(?:bash|sh|shell)$/.test(language)) lines.push(...all)
  }
  return lines
    .map((line) => line.replace(/^\$ /, '').trim())
    .filter((line) => !/^(?:#|$)/.test(line))
}

function harmlessSamples(): string[] {
  return read('packages/core/src/shell/fixtures/sample.jsonl')
    .trim()
    .split('\n')
    .map((line): { command: string; expect: string } => JSON.parse(line))
    .filter((line) => line.expect === 'allow')
    .map(({ command }) => command)
}

/** The first words of each command, as an author would list them. */
function listOf({ commands }: ShellFindings): string[][] {
  return commands.map(({ words }) => {
    const known = words.slice(0, 2).filter((word) => word !== null)
    return known.slice(0, known[1]?.startsWith('-') ? 1 : 2)
  })
}

/** Reading lines stand in a reading state; others in one that lists them and may write. */
function answerTo(line: string): string {
  const findings = analyzeShell(line)
  const reading = judgeShell(findings, { ...openRules, readOnly: true })
  if (reading.decision !== 'deny') return reading.decision
  const rules = { ...openRules, allowedCommands: listOf(findings), listedMayChange: true }
  const { decision, reasons } = judgeShell(findings, rules)
  return decision === 'deny' ? (reasons[0]?.code ?? 'deny') : decision
}

describe('lines that developers really write', () => {
  const ours = [
    ...scripts(),
    ...read('.ci/run')
      .split('\n')
      .filter((line) => line.trim() !== ''),
    ...['README.md', 'CONTRIBUTING.md', ...pages('docs')].flatMap(commandsIn),
  ]
  const all = [...ours, ...harmlessSamples()]
  const answers = all.map((line) => ({ line, answer: answerTo(line) }))

  test('SH-1: at most two in a hundred cannot be read', () => {
    expect(ours.length).toBeGreaterThan(50)
    const unreadable = answers.filter(({ answer }) => answer === 'shell_unreadable')
    expect(unreadable.length / all.length).toBeLessThanOrEqual(0.02)
  })

  test('SH-6, SH-8: in the state where an author would put it each of the others may run', () => {
    const denied = answers.filter(
      ({ answer }) => answer !== 'allow' && answer !== 'contain' && answer !== 'shell_unreadable',
    )
    expect(denied).toEqual([])
  })
})
