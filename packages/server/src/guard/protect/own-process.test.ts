import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { home, judge, makeWorld, removeWorld, shell } from './protect.test-kit.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

const { pid } = process

describe('SH-17: our own process, and the terminals of people', () => {
  test.each([
    `echo x | node inspect -p ${pid}`,
    `node -e 'process._debugProcess(${pid})'`,
    'timeout 6 cat /dev/pts/10',
    'cat /dev/pts/*',
    'stty -F /dev/pts/1 -echo',
    'script -f /dev/pts/1',
    'printf x > /dev/pts/0',
    'cat /dev/tty1',
    'cat /dev/input/event0',
    'tmux attach -t x',
    'tmux send-ke -t x "touch y" Enter',
    'echo "send-keys x" | tmux -C attach -t x',
    'tmux -L s capture -p -t x',
    'tmux new-window "touch y"',
    'tmux split-window "touch y"',
    'tmux set-option -g status-right "#(touch y)"',
    'tmux setenv -g BASH_ENV /tmp/x',
    'zellij action write-chars x',
    'wezterm cli send-text x',
    'kitty @ send-text x',
    'screen -x',
    'kill -9 -1',
    'kill $(pgrep -f statewright)',
    'statewright uninstall claude-code --yes',
    'statewright approval approve x',
    "curl -sf 'http://127.0.0.1:47[47-47]/healthz'",
    "curl -sf 'http://127.0.0.1:4[70-79]7/healthz'",
    'systemctl --user stop statewright',
    'service statewright stop',
    'pm2 stop statewright',
    'docker kill statewright',
    'cat /proc/[0-9]*/environ',
    'grep -a sw_ /proc/*/environ',
    'grep -a x /proc/*/mem',
    'grep -a -l "CREATE TABLE tokens" /proc/[0-9]*/fd/24',
    'ls -l /proc/*/fd/',
    'ps eww',
    `ps e -p ${pid}`,
    'git -c http.proxy=127.0.0.1:4747 ls-remote http://x',
    'http_proxy=127.0.0.1:4747 curl http://x',
    'https_proxy=http://127.0.0.1:4747 npm install',
  ])('%s', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    'cat /dev/tty',
    'ps aux',
    'ps -ef',
    'ps -e',
    'cat /proc/cpuinfo',
    'tmux new-session -d -s dev "npm run dev"',
    'tmux kill-session -t dev',
    'tmux ls',
    'tmux -L dev new -d -s x "npm run dev"',
    'screen -dmS dev npm run dev',
    "curl -sf 'http://127.0.0.1:30[00-09]/healthz'",
    'systemctl status nginx',
    'docker stop web',
    'node --inspect app.js',
  ])('%s is not held', (command) => {
    expect(shell(command)).toBe('allow')
  })

  test.each([
    ['tmux kill-session -t x', 'TMUX'],
    ['tmux kill-server', 'TMUX'],
    ['screen -X quit', 'STY'],
    ['zellij kill-all-sessions', 'ZELLIJ'],
  ])('%s, where we run in it', (command, name) => {
    process.env[name] = 'x'
    try {
      expect(shell(command)).toBe('deny')
    } finally {
      delete process.env[name]
    }
  })

  test('the client reads no terminal either', () => {
    expect(judge('Read', { file_path: '/dev/pts/3' })).toBe('deny')
  })
})

describe('SH-18: programs that are found by their name run later', () => {
  test.each([
    '.nvm/versions/node/v24.0.0/bin/npm',
    '.volta/bin/npm',
    '.npm-global/bin/x',
    '.asdf/shims/node',
    '.local/share/mise/shims/npm',
    '.local/share/pnpm/pnpm',
    '.cargo/bin/cargo',
    '.bun/bin/bun',
    '.pyenv/shims/python',
    'go/bin/x',
  ])('%s', (name) => {
    expect(judge('Write', { file_path: join(home, name), content: '' })).toBe('ask')
  })

  test.each(['/usr/bin/npm', '/usr/local/bin/git', '/bin/sh', '/opt/node/bin/node'])(
    '%s',
    (path) => {
      expect(judge('Write', { file_path: path, content: '' })).toBe('ask')
    },
  )
})
