import { chmodSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCage } from '../../packages/server/src/sandbox/cage.ts'
import { findSandbox, weakerSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import { runGuarded } from '../../packages/server/src/sandbox/run-guarded.ts'
import { visibleFolder, visibleNode } from '../../packages/server/testing/visible.ts'

const sandbox = await findSandbox()
const hasCage = sandbox.kind === 'bubblewrap' && sandbox.filtersSockets
if (!hasCage) process.stderr.write('skipped: a sandbox without a network. There is no filter.\n')

const folder = visibleFolder('offline')
const workspace = join(folder, 'work')
const socketPath = join(folder, 'service.sock')
const service = createServer((socket) => socket.end())

beforeAll(async () => {
  mkdirSync(workspace)
  await new Promise<void>((listening) => service.listen(socketPath, listening))
  chmodSync(socketPath, 0o777)
})
afterAll(() => {
  service.close()
  rmSync(folder, { recursive: true })
})

function offline(command: string, network = false) {
  const cage = makeCage({ workspace, mayWrite: true, network })
  const env = { PATH: process.env.PATH ?? '', HOME: workspace, LANG: 'C.UTF-8' }
  const limits = { timeoutMs: 60_000, outputLimit: 20_000 }
  return runGuarded(command, { sandbox, cage, cwd: workspace, env, ...limits })
}

/** Prints the name of the error that a line of Python meets, or `reached`. */
async function errorOf(code: string, network = false): Promise<string> {
  const script = `import socket, ctypes, os, errno
libc = ctypes.CDLL(None, use_errno=True)
def call(*args):
    given = libc.syscall(*[ctypes.c_long(one) for one in args])
    if given == -1: raise OSError(ctypes.get_errno(), "")
try:
    ${code}
    print("reached")
except OSError as fault: print(errno.errorcode[fault.errno])`
  writeFileSync(join(workspace, 'attack.py'), script)
  const done = await offline('python3 attack.py', network)
  return done.stdout.trim() || done.stderr
}

const number = process.arch === 'arm64' ? { socket: 198, keyctl: 219 } : { socket: 41, keyctl: 250 }

describe.skipIf(!hasCage)('SH-14a: without a network', () => {
  const to = JSON.stringify(socketPath)

  test.each([
    ['a socket by its path', `socket.socket(socket.AF_UNIX).connect(${to})`, 'EACCES'],
    ['a socket in the abstract namespace', 'socket.socket(socket.AF_UNIX, 2)', 'EACCES'],
    [
      'a pair of datagram sockets, connected anew',
      `socket.socketpair(socket.AF_UNIX, socket.SOCK_DGRAM)[0].connect(${to})`,
      'EACCES',
    ],
    [
      'a pair of raw sockets, which are datagrams',
      'socket.socketpair(socket.AF_UNIX, socket.SOCK_RAW | socket.SOCK_CLOEXEC)',
      'EACCES',
    ],
    [
      'a pair of streams, connected anew',
      `socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)[0].connect(${to})`,
      'EISCONN',
    ],
    ['the host of a virtual machine', 'socket.socket(40, 1)', 'EACCES'],
    [
      'a family with bits above those that count',
      `call(${number.socket}, (1 << 32) | 1, 1, 0)`,
      'EACCES',
    ],
    ['io_uring', 'call(425, 8, 0)', 'ENOSYS'],
    ['a call by its x32 number', `call(0x40000000 | ${number.socket}, 1, 1, 0)`, 'ENOSYS'],
  ])('%s is out of reach', { timeout: 60_000 }, async (_what, code, answer) => {
    expect(await errorOf(code)).toBe(answer)
  })

  // Asking for the number of the session's keyring, which everybody has.
  const keyring = `call(${number.keyctl}, 0, -3, 0)`
  test.each([
    ['without a network', false],
    ['with one', true],
  ])('SH-14: keys of the kernel are out of reach %s', { timeout: 60_000 }, async (_, network) => {
    expect(await errorOf(keyring, network)).toBe('ENOSYS')
    const x32 = `call(0x40000000 | ${number.keyctl}, 0, -3, 0)`
    expect(await errorOf(x32, network)).toBe('ENOSYS')
  })

  test('SH-14: with a network sockets are as they were', { timeout: 60_000 }, async () => {
    expect(await errorOf(`socket.socket(socket.AF_UNIX).connect(${to})`, true)).toBe('reached')
  })

  test('sockets of the Internet families and netlink can be made', async () => {
    expect(
      await errorOf('socket.socket(2); socket.socket(10); socket.socket(16, 3); os.pipe()'),
    ).toBe('reached')
  })
})

const node = `'${visibleNode(folder)}'`
const fork = `const { fork } = require('node:child_process')
if (process.send) process.send('from the child')
else fork(__filename).on('message', (words) => { console.log(words); process.exit() })`
const worker = `const { Worker, isMainThread, parentPort } = require('node:worker_threads')
if (isMainThread) new Worker(__filename).on('message', console.log)
else parentPort.postMessage('from the thread')`
const check = "require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2))"

describe.skipIf(!hasCage)('SH-14a: everyday programs work without a network', () => {
  test.each([
    ['pipes of bash', 'seq 3 | sort -r | head -1; cat <(echo x)', '3\nx\n'],
    ['child processes of Node with messages', `${node} fork.cjs`, 'from the child\n'],
    ['threads of Node', `${node} worker.cjs`, 'from the thread\n'],
    ['the test runner of Node', `${node} --test check.test.cjs | grep -c 'pass 1'`, '1\n'],
    ['npm test', `npm test --silent | grep -c 'pass 1'`, '1\n'],
    [
      'git',
      'git init -q . && git add check.test.cjs && ' +
        'git -c user.name=a -c user.email=a@b commit -qm one && git log --format=%s',
      'one\n',
    ],
    [
      'subprocesses and pools of Python',
      `python3 -c 'import multiprocessing as m, subprocess
print(m.get_context("fork").Pool(2).map(abs, [-1, -2]), subprocess.getoutput("echo x"))'`,
      '[1, 2] x\n',
    ],
    [
      'asyncio of Python',
      `python3 -c 'import asyncio
async def main():
    child = await asyncio.create_subprocess_exec("echo", "x", stdout=-1)
    print((await child.communicate())[0].decode(), end="")
asyncio.run(main())'`,
      'x\n',
    ],
    ['who one is', 'id -un >/dev/null && getent passwd 0 | cut -d: -f3', '0\n'],
  ])('%s', { timeout: 60_000 }, async (_what, line, printed) => {
    writeFileSync(join(workspace, 'fork.cjs'), fork)
    writeFileSync(join(workspace, 'worker.cjs'), worker)
    writeFileSync(join(workspace, 'check.test.cjs'), check)
    const scripts = { test: `${node} --test check.test.cjs` }
    writeFileSync(join(workspace, 'package.json'), JSON.stringify({ name: 'x', scripts }))
    const { stdout, stderr } = await offline(line)
    expect(stdout, stderr).toBe(printed)
  })
})

describe.skipIf(!hasCage)('SH-14a: a filter that cannot be used', () => {
  test('is found when the server starts, and said', { timeout: 60_000 }, async () => {
    const path = join(folder, 'bwrap')
    const script = '#!/bin/bash\n[ "$1" = --seccomp ] && exit 1\nexec /usr/bin/bwrap "$@"\n'
    writeFileSync(path, script, { mode: 0o755 })
    for (const options of [{ paths: [path] }, { arch: 'riscv64' }]) {
      const found = await findSandbox(options)
      expect(found).toMatchObject({ kind: 'bubblewrap', filtersSockets: false })
      expect(weakerSandbox(found)).toContain('connect to sockets of this machine')
    }
    expect(weakerSandbox(sandbox)).toBe(null)
  })
})
