import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describeCall } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { peoplesHomes } from '../../home/homes.ts'
import { defaultSettings, type RuntimeSettings } from '../../runtime/settings.ts'
import { workspaceFacts } from '../workspace-facts.ts'
import {
  data,
  folder,
  home,
  judge,
  makeWorld,
  removeWorld,
  root,
  shell,
} from './protect.test-kit.ts'
import { protectSelf } from './self-protection.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

describe('self-protection: tools', () => {
  const own = join(data, 'store.db')
  test.each([
    ['Read', { file_path: own }, 'deny'],
    ['Read', { file_path: '../.local/state/statewright/store.db' }, 'deny'],
    ['Read', { file_path: 'sub/../../.local/state/statewright/store.db' }, 'deny'],
    ['Read', { file_path: '~/.local/state/statewright/store.db' }, 'deny'],
    ['Read', { file_path: 'link/store.db' }, 'deny'],
    ['Read', { file_path: 'hard' }, 'deny'],
    ['Read', { file_path: own.toUpperCase() }, 'deny'],
    ['Read', { file_path: own.replace('state/', 's\u200btate/') }, 'deny'],
    ['Read', { file_path: `/proc/self/root${own}` }, 'deny'],
    ['Read', { file_path: '/proc/self/cwd/.claude' }, 'deny'],
    ['Read', { file_path: '/proc/1/environ' }, 'deny'],
    ['Read', { file_path: join(home, '.claude/settings.json') }, 'deny'],
    ['Read', { file_path: join(home, '.claude/plans/a.md') }, 'allow'],
    ['Read', { file_path: join(root, 'statewright.yaml') }, 'allow'],
    ['Read', { file_path: join(root, 'src/a.ts') }, 'allow'],
    ['Grep', { pattern: 'sw_agent', path: home }, 'deny'],
    ['Grep', { pattern: 'sw_agent', path: root }, 'allow'],
    ['Grep', { pattern: 'sw_agent', path: join(root, '.claude') }, 'deny'],
    ['Read', { file_path: '.claude/settings.local.json' }, 'deny'],
    ['Grep', { pattern: 'settings.json' }, 'allow'],
    // Names of files are no secret; where the search begins may be.
    ['Glob', { pattern: '**/*' }, 'allow'],
    ['Glob', { pattern: '**/*.json' }, 'allow'],
    ['Glob', { pattern: '**/*.ts' }, 'allow'],
    ['Glob', { pattern: `${home}/**/*.db` }, 'allow'],
    ['mcp__files__glob', { pattern: '**/settings.*.json' }, 'deny'],
    ['Write', { file_path: 'statewright.yaml', content: '' }, 'deny'],
    ['Write', { file_path: 'StateWright.YAML', content: '' }, 'deny'],
    ['Write', { file_path: '.claude/settings.local.json', content: '{}' }, 'deny'],
    ['Write', { file_path: '.CLAUDE/settings.local.json', content: '{}' }, 'deny'],
    ['Write', { file_path: 'hard-settings', content: '{}' }, 'deny'],
    ['Write', { file_path: 'dangling', content: '{}' }, 'deny'],
    ['Write', { file_path: '.mcp.json', content: '{}' }, 'deny'],
    ['Write', { file_path: '.codex/config.toml', content: '' }, 'deny'],
    ['Write', { file_path: '.github/hooks/a.json', content: '' }, 'deny'],
    ['Write', { file_path: join(home, '.claude/x'), content: '' }, 'deny'],
    ['Write', { file_path: join(home, '.claude.json'), content: '' }, 'deny'],
    ['Write', { file_path: join(home, '.config/opencode/a'), content: '' }, 'deny'],
    ['Write', { file_path: ' .claude/settings.json', content: '' }, 'deny'],
    ['Edit', { file_path: '\n.mcp.json', old_string: 'a', new_string: 'b' }, 'deny'],
    ['Read', { file_path: ` ${own}` }, 'deny'],
    ['Read', { file_path: `${own}\n` }, 'deny'],
    ['Grep', { pattern: 'sw_', path: `\t${own}` }, 'deny'],
    ['Write', { file_path: 'src/settings.json', content: '' }, 'allow'],
    ['mcp__fs__write_file', { path: join(root, '.mcp.json'), content: '' }, 'deny'],
    ['mcp__fs__read_file', { path: own }, 'deny'],
    ['mcp__fs__read_file', { uri: `file://${own}` }, 'deny'],
    ['mcp__fs__move_file', { source: 'a', destination: '.mcp.json' }, 'deny'],
    ['mcp__fs__delete', { paths: ['a', '.claude/settings.json'] }, 'deny'],
    ['mcp__fs__read_file', { path: '.mcp.json' }, 'allow'],
    ['mcp__fs__search_replace', { path: '.claude/settings.json', old_text: 'a' }, 'deny'],
    ['mcp__fs__find_and_replace', { file: 'statewright.yaml', find: 'a' }, 'deny'],
    ['mcp__fs__get_or_write', { path: '.claude/settings.json' }, 'deny'],
    ['mcp__fs__save', { name: 'statewright.yaml' }, 'deny'],
    ['mcp__fs__copy', { location: 'a', to: '.mcp.json' }, 'deny'],
    ['mcp__fs__put', { key: join(root, '.claude/settings.json') }, 'deny'],
    ['mcp__desktop__start_process', { command: `rm -rf ${own}` }, 'deny'],
    ['mcp__desktop__start_process', { args: ['tee', 'statewright.yaml'] }, 'deny'],
    ['mcp__desktop__start_process', { command: 'ls -l src' }, 'allow'],
    ['mcp__notes__add', { text: 'look at statewright.yaml before you go on' }, 'allow'],
    ['mcp__notes__add', { text: '.', title: '/', about: '~' }, 'allow'],
    ['mcp__git__commit', { message: `work in ${root}` }, 'allow'],
    ['WebFetch', { url: 'http://127.0.0.1:4747/api/runs' }, 'deny'],
    ['WebFetch', { url: 'http://[::1]:4747/' }, 'deny'],
    ['WebFetch', { url: 'http://127.0.0.1:3000/' }, 'allow'],
  ])('%s %j: %s', (tool, input, answer) => {
    expect(judge(tool, input)).toBe(answer)
  })
})

describe('self-protection: shell', () => {
  test.each([
    ['cat ../.local/state/statewright/store.db', 'deny'],
    ['cat ~/.local/state/statewright/store.db', 'deny'],
    ['cat $HOME/.local/state/statewright/store.db', 'deny'],
    ['cat "\x24{HOME}/.local/state/statewright/store.db"', 'deny'],
    ['cat ~/.local/state/state*/*', 'deny'],
    ['cat ~/.cl*/set*', 'deny'],
    ['cat ~/.claude/settings.json', 'deny'],
    ['cd ~ && cat .claude/settings.json', 'deny'],
    ['cd .. && cat .local/state/statewright/store.db', 'deny'],
    ['cat link/store.db', 'deny'],
    ['cat hard', 'deny'],
    ['cat /proc/self/root/etc/passwd', 'deny'],
    ['X=.cla; cat ~/\x24{X}ude/settings.json', 'deny'],
    ['grep -r sw_ ~', 'deny'],
    ['tar c ~ | wc -c', 'deny'],
    ['grep -r todo .', 'allow'],
    ['ls ~', 'allow'],
    ['find . -name settings.json', 'allow'],
    ['cat .claude/settings.json', 'allow'],
    ['echo x > .claude/settings.json', 'deny'],
    ['cd .claude && echo x > settings.json', 'deny'],
    ['cd .claude; tee settings.local.json < /dev/null', 'deny'],
    ['rm -rf .claude', 'deny'],
    ['mv .claude elsewhere', 'deny'],
    ['ln -s .claude other', 'deny'],
    ['ln .claude/settings.json other', 'deny'],
    ['sed -i s/a/b/ statewright.yaml', 'deny'],
    ['echo x >> $HOME/.claude.json', 'deny'],
    ['cp evil .mcp.json', 'deny'],
    ['cp evil "$PWD/.mcp.json"', 'deny'],
    [`python3 -c "open('.mcp.json','w').write('')"`, 'deny'],
    [`node -e "require('fs').writeFileSync('.codex/config.toml','')"`, 'deny'],
    ['dd if=a of=.cursor/mcp.json', 'deny'],
    ['rm -rf .', 'deny'],
    ['rm -rf ..', 'deny'],
    ['rm -rf sub', 'allow'],
    ['echo .mcp.json', 'allow'],
    ['git status', 'allow'],
    ["sed -n '/**/p' src/a.c", 'allow'],
    ["awk '/.*/ {print}' src/a.c", 'allow'],
    ['npm test', 'allow'],
    ['curl http://127.0.0.1:4747/api/runs', 'deny'],
    ['curl localhost:4747', 'deny'],
    ['curl http://2130706433:4747/', 'deny'],
    ['exec 3<>/dev/tcp/127.0.0.1/4747', 'deny'],
    [`python3 -c "import urllib.request as u; u.urlopen('http://127.0.0.1:4747')"`, 'deny'],
    ['curl localhost:14747', 'allow'],
    ['curl localhost:3000', 'allow'],
    ['echo 4747', 'allow'],
    ['echo $STATEWRIGHT_TOKEN', 'deny'],
    [`kill -9 ${process.pid}`, 'deny'],
    [`kill -TERM -- -${process.pid}`, 'deny'],
    [`kill ${process.pid}0`, 'allow'],
    [`kill -9 $((${process.pid}))`, 'deny'],
    ['kill $(lsof -ti :4747)', 'deny'],
    ['fuser -k 4747/tcp', 'deny'],
    [`gdb -p ${process.pid}`, 'deny'],
    [`prlimit --pid ${process.pid} --nofile=1`, 'deny'],
    [`python3 -c "import os;os.kill(${process.pid},9)"`, 'deny'],
    ['pkill -f node', 'deny'],
    ['killall node', 'deny'],
    ['lsof -i :4747', 'allow'],
    ['pkill -f my-own-dev-server', 'allow'],
    ['kill $(lsof -ti :3000)', 'allow'],
    ['kill %1', 'allow'],
  ])('%s: %s', (command, answer) => {
    expect(shell(command)).toBe(answer)
  })

  test('words count from where the command runs', () => {
    expect(shell('echo x > settings.json', join(root, '.claude'))).toBe('deny')
    expect(shell('echo x > settings.json', join(root, 'sub'))).toBe('allow')
    expect(judge('Bash', { command: 'cat store.db', cwd: data })).toBe('deny')
  })
})

describe('SH-18: settings of a guard in any folder', () => {
  test.each([
    ['Write', { file_path: 'packages/one/.claude/settings.json', content: '{}' }, 'deny'],
    ['Edit', { file_path: 'a/b/.claude/settings.local.json', old_string: '', new_string: 'x' }],
    ['Write', { file_path: 'packages/one/.claude/hooks/guard.sh', content: '' }, 'deny'],
    ['Write', { file_path: 'packages/one/.MCP.json', content: '' }, 'deny'],
    ['Write', { file_path: 'packages/one/.codex/config.toml', content: '' }, 'deny'],
    ['Write', { file_path: 'packages/one/opencode.json', content: '' }, 'deny'],
    ['Write', { file_path: '/srv/other/.gemini/settings.json', content: '' }, 'deny'],
    ['Write', { file_path: '/srv/other/statewright.yaml', content: '' }, 'deny'],
    ['Write', { file_path: '/srv/home/.claude.json', content: '' }, 'deny'],
    ['mcp__fs__write_file', { path: 'packages/one/.mcp.json', content: '' }, 'deny'],
    ['mcp__fs__move_file', { source: 'a', destination: 'packages/one/.cursor/mcp.json' }, 'deny'],
    ['Bash', { command: 'cp a packages/one/.mcp.json' }, 'deny'],
    ['Bash', { command: 'cd packages/one && tee .claude/settings.json' }, 'deny'],
    ['Bash', { command: 'mv a packages/*/.cl*/set*.json' }, 'deny'],
    ['Bash', { command: `python3 -c "open('x/.mcp.json','w')"` }, 'deny'],
    ['Read', { file_path: 'packages/one/.claude/settings.json' }, 'allow'],
    ['Bash', { command: 'cat packages/one/.mcp.json' }, 'allow'],
    ['Write', { file_path: 'docs/statewright.yaml.md', content: '' }, 'allow'],
    ['Write', { file_path: 'src/claude/settings.json', content: '' }, 'allow'],
    ['Write', { file_path: 'src/my.mcp.json', content: '' }, 'allow'],
    ['Bash', { command: 'rm -f build/*.json' }, 'allow'],
    ['Bash', { command: `sqlite3 a.db "select 1" && python3 -c "c = conn.cursor()"` }, 'allow'],
  ])('%s %j: %s', (tool, input, answer = 'deny') => {
    expect(judge(tool, input)).toBe(answer)
  })
})

describe('SH-18: the program that judges', () => {
  const bin = fileURLToPath(new URL('../../../bin/', import.meta.url))
  const hook = join(bin, 'hook.cjs')
  test.each([
    ['Edit', { file_path: hook, old_string: 'const', new_string: 'process.exit(0)' }, 'deny'],
    ['Write', { file_path: join(bin, 'new.cjs'), content: '' }, 'deny'],
    ['Write', { file_path: 'linked-program/hook.cjs', content: '' }, 'deny'],
    ['Write', { file_path: 'hard-hook.cjs', content: '' }, 'deny'],
    ['Write', { file_path: fileURLToPath(import.meta.resolve('zod')), content: '' }, 'deny'],
    ['Write', { file_path: process.execPath, content: '' }, 'deny'],
    ['mcp__fs__edit_file', { path: hook, edits: [] }, 'deny'],
    ['Bash', { command: `sed -i s/a/b/ ${hook}` }, 'deny'],
    ['Bash', { command: `rm -rf ${join(bin, '../../..')}` }, 'deny'],
    ['Bash', { command: `cp evil ${process.execPath}` }, 'deny'],
    ['Bash', { command: `git -C ${bin} checkout HEAD~5` }, 'deny'],
    ['Bash', { command: `npm install --prefix ${bin} evil` }, 'deny'],
    ['Bash', { command: `git -C ${bin} log -3` }, 'allow'],
    ['Bash', { command: `cp ${hook} copy.cjs` }, 'allow'],
    ['Bash', { command: `node -e "require('fs').writeFileSync('${hook}', '')"` }, 'deny'],
    ['Write', { file_path: join(home, '.local/bin/statewright'), content: '' }, 'deny'],
    ['Write', { file_path: join(home, '.local/share/statewright/bin/node'), content: '' }, 'deny'],
    ['Write', { file_path: join(home, '.local/share/claude/versions/2'), content: '' }, 'deny'],
    ['Read', { file_path: hook }, 'allow'],
    ['Bash', { command: `cat ${hook}` }, 'allow'],
    ['Write', { file_path: 'packages/server/bin/hook.cjs', content: '' }, 'allow'],
    ['Write', { file_path: 'hard-source.ts', content: '' }, 'allow'],
  ])('%s %j: %s', (tool, input, answer) => {
    expect(judge(tool, input)).toBe(answer)
  })
})

describe('a server that has another home, and was started in another folder', () => {
  const other = join(folder, 'client-home')
  const project = join(other, 'project')
  const elsewhere: RuntimeSettings = {
    ...defaultSettings,
    home: join(folder, 'service'),
    homes: [other],
    protectedFiles: [join(folder, 'service/statewright.yaml')],
  }
  const write = (path: string, from: RuntimeSettings = elsewhere, at = project) => {
    const input = { file_path: path, content: 'x' }
    const call = describeCall(
      { id: 'c', tool: 'Write', input },
      workspaceFacts(defaultSettings, at),
    )
    const protectedCall = { input, call, root: at, ownPorts: new Set<number>() }
    return protectSelf(from, protectedCall).map(({ kind }) => kind)
  }

  test.each([
    '.codex/config.toml',
    '.gemini/settings.json',
    '.config/opencode/opencode.json',
    '.copilot/mcp-config.json',
    '.cursor/mcp.json',
    '.claude/settings.json',
  ])('SH-18: ~/%s of the client is out of reach', (path) => {
    expect(write(join(other, path))).toEqual(['deny'])
    const command = `echo x > ~/${path}`
    const call = describeCall(
      { id: 'c', tool: 'Bash', input: { command } },
      workspaceFacts(defaultSettings, project),
    )
    const protectedCall = { input: { command }, call, root: project, ownPorts: new Set<number>() }
    expect(protectSelf(elsewhere, protectedCall).map(({ kind }) => kind)).toEqual(['deny'])
  })

  test('SH-18: so is the configuration of the project that the run works in', () => {
    mkdirSync(join(project, 'packages/one'), { recursive: true })
    writeFileSync(join(project, 'statewright.yaml'), '')
    expect(write(join(project, 'statewright.yaml'))).toEqual(['deny'])
    const inside = join(project, 'packages/one')
    expect(write(join(project, 'statewright.yaml'), elsewhere, inside)).toEqual(['deny'])
    expect(write(join(project, 'notes.yaml'))).toEqual([])
  })

  test('SH-18: the people of a machine are known by its list of users', () => {
    const file = join(folder, 'passwd')
    mkdirSync(join(folder, 'service'), { recursive: true })
    const lines = [
      `ann:x:1000:1000::${other}:/bin/bash`,
      `daemon:x:2:2::${join(folder, 'service')}:/usr/sbin/nologin`,
      'nobody:x:65534:65534::/nonexistent:/usr/sbin/nologin',
      'odd:x:1001:1001::/:/bin/sh',
      '',
    ]
    writeFileSync(file, lines.join('\n'))
    expect([peoplesHomes(file), peoplesHomes(join(folder, 'none'))]).toEqual([[other], []])
  })
})
