import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { analyzeShell, judgeShell } from '@statewright/core/internal'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeCage } from '../../packages/server/src/sandbox/cage.ts'
import { containedVariables } from '../../packages/server/src/sandbox/environment.ts'
import { findSandbox } from '../../packages/server/src/sandbox/find-sandbox.ts'
import { runGuarded } from '../../packages/server/src/sandbox/run-guarded.ts'
import { openRules } from '../shell-fuzz/rules.ts'
import { filePicture } from '../support/file-picture.ts'

const sandbox = await findSandbox()
if (sandbox.kind === 'none') process.stderr.write(`skipped: contained commands. ${sandbox.why}\n`)

// Not below /tmp, which a cage replaces: a socket there would be hidden by that alone.
const folder = realpathSync(mkdtempSync(join(homedir(), '.statewright-contained-')))
const workspace = join(folder, 'project')
const home = join(folder, 'home')
const socket = join(folder, 'service.sock')
let heard = 0
let server: Server
let port = 0
let web: Server

beforeAll(async () => {
  for (const name of ['src', 'tests', '.git/refs', 'evil']) {
    mkdirSync(join(workspace, name), { recursive: true })
  }
  mkdirSync(home)
  for (const name of ['a.txt', 'b.txt', 'src/a.py', 'package.json', 'Makefile', '.git/HEAD']) {
    writeFileSync(join(workspace, name), 'one\ntwo\n')
  }
  server = createServer(() => heard++)
  web = createServer(() => heard++)
  await new Promise<void>((done) => server.listen(socket, done))
  await new Promise<void>((done) => web.listen(0, '127.0.0.1', done))
  const address = web.address()
  port = typeof address === 'object' && address !== null ? address.port : 0
})
afterAll(() => {
  server.close()
  web.close()
  rmSync(folder, { recursive: true })
})

function decide(command: string): string {
  return judgeShell(analyzeShell(command), { ...openRules, readOnly: true }).decision
}

function contained(command: string) {
  const cage = makeCage({ workspace, mayWrite: false, network: false })
  const env = { ...containedVariables, PATH: process.env.PATH ?? '', HOME: home, LANG: 'C.UTF-8' }
  const limits = { timeoutMs: 5000, outputLimit: 2000 }
  return runGuarded(command, { sandbox, cage, cwd: workspace, env, ...limits })
}

const connect = (to: string) => `import socket,sys
s=socket.socket(socket.AF_UNIX if sys.argv[1]!="web" else socket.AF_INET)
s.connect(${to}); print("connected")`

/** Ways to write that no table tells: all are answered `contain`, and none changes anything. */
const lines = [
  `python3 -c 'open("made","w").write("x")'`,
  `python3 - <<'END'\nimport os; os.remove("a.txt")\nEND`,
  `perl -e 'unlink "a.txt"; open F, ">made"'`,
  `node -e 'require("fs").writeFileSync("made", "x")'`,
  `unheard-of a.txt || ./a.txt; python3 -m compileall src`,
  `python3 -c 'import shutil; shutil.rmtree(".git")'`,
  `setpriv --pdeathsig clear touch made`,
  `SOME_OPTS=--x git log; python3 -c 'open("'$HOME'/made","w")'`,
  `make -n --eval='$(file >made)'`,
  `python3 -c 'import os; os.kill(1, 9); os.kill(os.getppid(), 9)'`,
  `python3 -c 'open("/etc/made-by-us","w")'`,
]

describe.skipIf(sandbox.kind === 'none')('SH-6, SH-14: a contained command', () => {
  test('changes no file, whatever it does', { timeout: 240_000 }, async () => {
    const before = filePicture(folder)
    for (const line of lines) {
      expect([line, decide(line)]).toEqual([line, 'contain'])
      const done = await contained(line)
      expect([line, done.isCaged]).toEqual([line, true])
    }
    expect(filePicture(folder)).toEqual(before)
  })

  test('reaches neither the network nor a socket of the host', { timeout: 60_000 }, async () => {
    const byFile = await contained(`python3 -c '${connect(JSON.stringify(socket))}' file`)
    expect(byFile.stderr).toContain('PermissionError')
    const byPort = await contained(`python3 -c '${connect(`("127.0.0.1", ${port})`)}' web`)
    expect(byPort.stderr).toMatch(/refused|unreachable/)
    expect([byFile.stdout, byPort.stdout, heard]).toEqual(['', '', 0])
  })

  test('writes its caches into a /tmp of its own', async () => {
    const done = await contained(
      'mkdir -p "$XDG_CACHE_HOME" && touch "$XDG_CACHE_HOME/x" && ls /tmp',
    )
    expect(done.stdout).toBe('cache\n')
  })

  test('talks to its own children by pairs of sockets', async () => {
    const done = await contained(`python3 -c 'import socket; socket.socketpair(); print("pair")'`)
    expect(done.stdout).toBe('pair\n')
  })
})

/** Our own lines that are answered `contain`; all of them where the tests have hours. */
const fixture = new URL(
  '../../packages/core/src/shell/fixtures/read-only-contained.txt',
  import.meta.url,
)
const everyNth = process.env.STATEWRIGHT_TEST_LONG === '1' ? 1 : 40

describe.skipIf(sandbox.kind === 'none')('lines of the fixtures that are contained', () => {
  test('SH-6: none of them changes anything', { timeout: 3_600_000 }, async () => {
    const all = readFileSync(fixture, 'utf8')
      .split('\n')
      .filter((line) => line !== '' && !line.startsWith('## '))
    const before = filePicture(folder)
    for (const [index, line] of all.entries()) {
      if (index % everyNth !== 0) continue
      await contained(line.replaceAll('¶', '\n'))
      expect([line, filePicture(folder)]).toEqual([line, before])
    }
    expect(heard).toBe(0)
  })
})

interface Line {
  readonly command: string
  readonly policy: { readonly mode?: string }
  readonly wrote?: boolean
}

/** A file of lines that were seen to write: `{command, policy, wrote}`; kept by who has it. */
const given = process.env.STATEWRIGHT_WRITING_LINES

describe.skipIf(sandbox.kind === 'none' || given === undefined)(
  'lines that were seen to write',
  () => {
    test('SH-6: none is allowed as it is, and contained they change nothing', {
      timeout: 3_600_000,
    }, async () => {
      const all = readFileSync(given ?? '', 'utf8')
        .trim()
        .split('\n')
        .map((line): Line => JSON.parse(line))
        .filter(({ wrote, policy }) => wrote === true && policy.mode === 'read-only')
      const before = filePicture(folder)
      const wrong: string[] = []
      for (const { command } of all) {
        const answer = decide(command)
        if (answer === 'allow') wrong.push(command)
        if (answer !== 'contain') continue
        await contained(command)
        if (filePicture(folder).join('\n') !== before.join('\n'))
          wrong.push(`changed by ${command}`)
      }
      expect(wrong).toEqual([])
      expect(heard).toBe(0)
    })
  },
)
