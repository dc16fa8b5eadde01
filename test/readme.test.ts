import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'

const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
const beforeServer = readme
const bin = fileURLToPath(new URL('../packages/server/bin/statewright.mjs', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'statewright-readme-'))
afterAll(() => rmSync(folder, { recursive: true }))

const workflow = /```yaml\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
writeFileSync(join(folder, 'bugfix.yaml'), workflow)

/** What the README shows as typed, and what it shows as the answer. */
const shown = [
  ...beforeServer.matchAll(/^\$ statewright ((?:.*\\\n)*.*)\n((?:(?!\$ |```).*\n)*)/gm),
].map(([, command = '', answer = '']): [string, string] => [
  command.replaceAll('\\\n', ' '),
  answer.trim(),
])

function run(command: string): { code: number | null; text: string } {
  // The shell that a reader would use takes the quotes apart.
  const args = spawnSync('sh', ['-c', `printf '%s\\0' ${command}`], { encoding: 'utf8' })
  const words = args.stdout.split('\0').slice(0, -1)
  const ran = spawnSync(process.execPath, [bin, ...words], { cwd: folder, encoding: 'utf8' })
  return { code: ran.status, text: (ran.stdout + ran.stderr).trim() }
}

describe('the README', () => {
  test('shows commands', () => {
    expect(shown.map(([command]) => command.split(' ').slice(0, 2).join(' '))).toEqual([
      'workflow check',
      'run explain',
      'shell check',
    ])
  })

  test.each(shown)('is true about: statewright %s', (command, answer) => {
    expect(run(command).text).toBe(answer)
  })

  test('is true about a misspelt restriction', () => {
    const lines = workflow.split('\n')
    lines[8] = (lines[8] ?? '').replace('allowed_tools', 'allowed_tolls')
    writeFileSync(join(folder, 'bugfix.yaml'), lines.join('\n'))
    const { code, text } = run('workflow check bugfix.yaml')
    expect(code).toBe(3)
    const [first = ''] = text.split('\n')
    expect(readme.replaceAll('\n', ' ')).toContain(`\`${first}\``)
    expect(first).toContain('bugfix.yaml:9:5 error unknown_field')
  })

  test('the page on scenarios is true, and a step that fails has its line', () => {
    const manual = readFileSync(new URL('../docs/guide/scenarios.md', import.meta.url), 'utf8')
    const scenarios = /```yaml\n([\s\S]*?)```/.exec(manual)?.[1] ?? ''
    const [, command = '', answer = ''] = /^\$ statewright (.+)\n([\s\S]*?)```/m.exec(manual) ?? []
    writeFileSync(join(folder, 'bugfix.yaml'), workflow)
    writeFileSync(join(folder, 'scenarios.yaml'), scenarios)
    expect(run(command)).toEqual({ code: 0, text: answer.trim() })

    writeFileSync(
      join(folder, 'scenarios.yaml'),
      scenarios.replace('expect: deny', 'expect: allow'),
    )
    const { code, text } = run(command)
    expect(code).toBe(3)
    const name = 'nothing is edited before the cause is known'
    expect(text).toContain(`failed  ${name} scenarios.yaml:7 expected allow, got deny`)
  })

  test('its picture is what the command draws', () => {
    const picture = /```mermaid\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    writeFileSync(join(folder, 'bugfix.yaml'), workflow)
    expect(run('workflow graph bugfix.yaml')).toEqual({ code: 0, text: picture.trim() })
  })

  test('its program runs, and prints what it says', () => {
    const program = /```ts\n([\s\S]*?)```/.exec(readme)?.[1] ?? ''
    const [, printed] = /It prints\n`([^`]+)`/.exec(readme) ?? []
    writeFileSync(join(folder, 'bugfix.yaml'), workflow)
    writeFileSync(join(folder, 'try.mts'), program)
    symlinkSync(
      fileURLToPath(new URL('../node_modules', import.meta.url)),
      join(folder, 'node_modules'),
    )
    const options = { cwd: folder, encoding: 'utf8' } as const
    const ran = spawnSync(process.execPath, ['try.mts'], options)
    expect([ran.status, ran.stderr, ran.stdout.trim()]).toEqual([0, '', printed])
  })

  test('names exactly the two commands to start and to test', () => {
    expect(readme).toContain('```\nnpm start\nnpm test\n```')
  })
})
