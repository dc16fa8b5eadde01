import { describe, expect, test } from 'vitest'
import { textOf } from '../base/text/phrase.ts'
import { analyzeShell } from './analyze.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'
import { parseCommandPattern } from './patterns.ts'
import type { CommandPattern, ShellRules } from './rules.ts'

function codes(command: string, rules: Partial<ShellRules>): string[] {
  const judged = judgeShell(analyzeShell(command), { ...openRules, ...rules })
  return [...new Set(judged.reasons.map((reason) => reason.code))]
}

describe('a judgement', () => {
  test('SH-11: a denial names the part, the reason and what is allowed', () => {
    const rules = { ...openRules, readOnly: true, allowedCommands: [['npm', 'test']] }
    const { decision, reasons } = judgeShell(analyzeShell('npm test > out.txt; ls'), rules)
    const shown = reasons.map((reason) => ({ ...reason, message: textOf(reason.message) }))
    expect({ decision, reasons: shown }).toEqual({
      decision: 'deny',
      reasons: [
        {
          code: 'shell_write',
          message:
            'redirects into out.txt. This state only reads; ' +
            'output to the terminal, /dev/null or 2>&1 is fine',
          start: 9,
          end: 18,
          part: '> out.txt',
        },
        {
          code: 'command_not_allowed',
          message: 'ls is not listed. Allowed: npm test',
          start: 20,
          end: 22,
          part: 'ls',
        },
      ],
    })
  })

  test('SH-1: without a restricting rule even unreadable text passes', () => {
    expect(codes('echo "', {})).toEqual([])
    expect(codes('echo "', { readOnly: true })).toEqual(['shell_unreadable'])
    expect(codes('echo "', { blockedEnv: ['X'] })).toEqual(['shell_unreadable'])
    expect(codes('echo "', { allowedCommands: [['echo']] })).toEqual(['shell_unreadable'])
  })

  test.each([
    'sleep 1 &',
    'nohup ls',
    'setsid ls',
    'coproc ls',
    'tmux new -d ls',
    'systemd-run ls',
    'sleep 1 & disown',
    'ssh -f host ls',
  ])('SH-16: %s is background work', (command) => {
    expect(codes(command, { readOnly: true, background: false })).toContain('shell_background')
    expect(codes(command, { readOnly: true, background: true })).not.toContain('shell_background')
    expect(codes(command, { background: false })).toEqual([])
  })

  test.each([
    ['claude -p hi', 'agent_spawn'],
    ['npx @anthropic-ai/claude-code', 'agent_spawn'],
    ['npx -y @openai/codex@latest exec x', 'agent_spawn'],
    ['env codex exec x', 'agent_spawn'],
    ['bash -c "gemini -p x"', 'agent_spawn'],
    ['find . -exec claude {} \\;', 'agent_spawn'],
    ['/usr/local/bin/claude -p x', 'agent_spawn'],
    ['gh copilot suggest', 'agent_spawn'],
    ['statewright approve a1', 'self_protection'],
    ['npx statewright run force x', 'self_protection'],
    ['statewright approval approve a1', 'self_protection'],
    ['statewright hook claude-code key.json', 'self_protection'],
    ['statewright exec http://127.0.0.1:1 ticket', 'self_protection'],
    ['statewright constructor', 'self_protection'],
    ['node /opt/statewright/bin/statewright.mjs token create', 'self_protection'],
    ['./node_modules/.bin/statewright config accept', 'self_protection'],
    ['statewright "$X"', 'self_protection'],
    ['pkill -f statewright', 'self_protection'],
    ['pkill node', 'self_protection'],
    ['killall node', 'self_protection'],
    ['kill -9 -1', 'self_protection'],
    ['kill $PPID', 'self_protection'],
    ['kill $(pgrep statewright)', 'self_protection'],
  ])('SH-17: %s in a guarded run is %s', (command, code) => {
    expect(codes(command, { guarded: true })).toContain(code)
    expect(codes(command, {})).toEqual([])
  })

  test.each([
    'claude --version',
    'cat claude.md',
    'grep -rn statewright src',
    'statewright status',
    'statewright run show r1',
    'npx statewright workflow check a.yaml',
    'statewright --version',
    'kill %1',
    'kill 4711',
    'kill -9 4711',
    'pkill -f my-dev-server',
    'which codex',
  ])('SH-17: %s is nobody’s harm', (command) => {
    expect(codes(command, { guarded: true })).toEqual([])
  })

  test('SH-10: where there is no shell, only provable reading passes', () => {
    const rules = { onlyReading: true }
    expect(codes('cat f | head', rules)).toEqual([])
    expect(codes('npm test', rules)).toEqual(['command_not_allowed'])
    expect(codes('cat f > g', rules)).toContain('shell_write')
  })
})

describe('a deploying state: only Bash, with kubectl and helm listed', () => {
  const allowedCommands = [['kubectl'], ['helm'], ['git', 'commit'], ['tee']]
  const state = { readOnly: true, allowedCommands, listedMayChange: true }

  test.each([
    ['kubectl apply -f x.yaml', []],
    ['helm upgrade a b', []],
    ['git commit -m x', []],
    ['kubectl get x > f', ['shell_write']],
    ['kubectl get x | tee f', ['shell_write']],
    ['kubectl cp a:/b c', ['shell_write']],
    ['kubectl apply -f "$(rm x)"', ['shell_write', 'command_not_allowed']],
    ['git push', ['shell_write', 'command_not_allowed']],
  ])('SH-8: %s gives %j', (command, expected) => {
    expect(codes(command, state)).toEqual(expected)
  })

  test('SH-8: in a policy of shell check a list does not lift read-only', () => {
    expect(codes('helm upgrade a b', { ...state, listedMayChange: false })).toEqual(['shell_write'])
  })

  test('SH-8: a redirect of a group belongs to no entry', () => {
    const list = { allowedCommands: [['ls']] }
    expect(codes('{ ls; echo x; } > f', list)).toEqual(['command_not_allowed'])
    expect(codes('[[ a ]] > f', list)).toEqual(['command_not_allowed'])
    expect(codes('> f', list)).toEqual(['command_not_allowed'])
    expect(codes('{ ls; } > /dev/null', list)).toEqual([])
  })
})

describe('patterns such as Bash(git log *)', () => {
  const patterns = ['git commit *', 'git log:*', 'make check'].map(
    (text) => parseCommandPattern(text) as CommandPattern,
  )
  const rules = { readOnly: true, patterns }

  test.each([
    ['git commit', []],
    ['git commit -m x', []],
    ['git log', []],
    ['git log -1', []],
    ['git logs', ['shell_write', 'command_not_allowed']],
    ['git logx', ['shell_write', 'command_not_allowed']],
    ['make check', []],
    ['make check x', ['command_not_allowed']],
    ['git commit -m x > f', ['shell_write']],
    ['git commit -m "$(rm f)"', ['shell_write', 'command_not_allowed']],
    ['cd src && git log', []],
    ['git push', ['shell_write', 'command_not_allowed']],
  ])('WF-6: %s gives %j', (command, expected) => {
    expect(codes(command, rules)).toEqual(expected)
  })

  test('WF-6: a star covers nothing as well, and without one the words are all', () => {
    expect(parseCommandPattern('git log *')).toEqual({ words: ['git', 'log'], exact: false })
    expect(parseCommandPattern('git log:*')).toEqual({ words: ['git', 'log'], exact: false })
    expect(parseCommandPattern('git log')).toEqual({ words: ['git', 'log'], exact: true })
    expect(parseCommandPattern('*')).toBe(null)
    expect(parseCommandPattern('  ')).toBe(null)
  })
})
