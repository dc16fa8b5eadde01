import { existsSync, lstatSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { bound, GuardedClient, hasCage } from './guarded-client.test-kit.ts'

const writing = {
  id: 'writing',
  initial: 'one',
  states: {
    one: { allowed_tools: ['Bash', 'Write'], sandbox: 'required', on: { NEXT: 'end' } },
    end: { type: 'final' },
  },
}

let client: GuardedClient
beforeEach(async () => {
  client = new GuardedClient()
  const commit = 'git -c user.name=a -c user.email=a@b.c commit -qm one --allow-empty'
  const made = await client.run(
    `git init -q . && ${commit} && git init -q vendor/one && cd vendor/one && ${commit}`,
  )
  expect(made.code).toBe(0)
  await client.start(writing)
})
afterEach(() => client.close())

const at = (path: string) => join(client.project, path)
const isThere = (path: string) => lstatSync(at(path), { throwIfNoEntry: false }) !== undefined

/** Starts a script in the sandbox, and waits until it says that it has done what it came for. */
async function started(script: string) {
  writeFileSync(at('check.sh'), script)
  const { command = '' } = await client.before('Bash', { command: 'bash check.sh' })
  expect(command).toContain('exec.cjs')
  const ran = client.run(command)
  await expect.poll(() => isThere('ready'), { timeout: 30_000 }).toBe(true)
  /** Lets it go on, and gives back what came of it. */
  return () => {
    writeFileSync(at('go'), '')
    return ran
  }
}

const wait = 'touch ready; while [ ! -e go ]; do sleep 0.1; done\n'

/** A folder of git whose settings run a program, for whoever is led to it. */
const evil =
  'mkdir -p evil/hooks; cp -r .git/objects .git/refs .git/info evil/\n' +
  'printf "[core]\\nrepositoryformatversion = 0\\nfsmonitor = \\"id > $PWD/../out; false\\"\\n"' +
  ' > evil/config\n'

describe.skipIf(!hasCage)('SH-18: while a command runs in a sandbox', bound, () => {
  test.each(['.', 'vendor/one'])(
    'git in %s is not led to settings that the command makes',
    async (folder) => {
      const git = `${folder}/.git`
      const goOn = await started(
        `${evil} mv ${git}/commondir g; rm -f ${git}/commondir ${git}/config.worktree\n` +
          `echo $PWD/evil > ${git}/commondir; cp evil/config ${git}/config.worktree\n` +
          `${wait} rm -rf ${git}/commondir evil`,
      )
      const status = await client.run(`git -C ${folder} status; git -C ${folder} log --oneline`)
      expect([status.code, status.stdout.includes('one')]).toEqual([0, true])
      expect(existsSync(join(client.folder, 'out'))).toBe(false)
      await goOn()
    },
  )

  test('git is worked with as always, inside and outside', async () => {
    const names = '-c user.name=a -c user.email=a@b.c'
    const goOn = await started(
      `echo a > a; git add a; git ${names} commit -qm two; git worktree add -q tree\n` +
        `git -C tree log --oneline; git rev-parse --git-common-dir; ${wait}`,
    )
    const outside = await client.run('git log --oneline; git -C tree status; git worktree list')
    expect([outside.code, outside.stderr]).toEqual([0, ''])
    const ran = await goOn()
    expect([ran.code, ran.stderr]).toEqual([0, ''])
  })

  test('what held a name shut is gone when the last command has ended', async () => {
    const goOn = await started(wait)
    const held = ['.git/commondir', '.git/config.worktree', 'vendor/one/.git/commondir']
    expect(held.map(isThere)).toEqual(held.map(() => true))
    await goOn()
    expect(held.map(isThere)).toEqual(held.map(() => false))
  })

  test('what a killed server left of them goes with the next command', async () => {
    const goOn = await started(wait)
    const text = readFileSync(at('.git/commondir'), 'utf8')
    await goOn()
    expect(isThere('.git/commondir')).toBe(false)
    writeFileSync(at('.git/commondir'), text)
    await client.shell('true')
    expect(isThere('.git/commondir')).toBe(false)
  })

  const settings = '[core]\\nfsmonitor = touch out\\n'
  test.each([
    ['settings of a client', '.mcp.json', 'echo {} > .mcp.json'],
    [
      'those in a new folder',
      'src/a/.claude/settings.json',
      'mkdir -p src/a/.claude; echo {} > src/a/.claude/settings.json',
    ],
    ['those that were moved there', 'src/.mcp.json', 'mkdir src; echo {} > x; mv x src/.mcp.json'],
    [
      'a repository that runs programs',
      'new/.git/config',
      `git init -q new; printf "${settings}" >> new/.git/config`,
    ],
    ['a `.git` that leads elsewhere', 'src/.git', 'mkdir src; echo "gitdir: ../later" > src/.git'],
    [
      'a submodule that runs programs',
      '.git/modules/m/config',
      `mkdir -p .git/modules; git init -q /tmp/m; cp -r /tmp/m/.git .git/modules/m\n` +
        `printf "${settings}" > .git/modules/m/config`,
    ],
  ])('the command ends that makes %s', async (_, path, script) => {
    // By itself it never ends.
    writeFileSync(at('check.sh'), `${script}\nwhile :; do sleep 0.1; done\n`)
    const ran = await client.shell('bash check.sh')
    expect([ran.code, isThere(path)]).toEqual([137, false])
    expect(ran.stderr).toContain(`${at(path)} is protected; what was created there was moved aside`)
  })

  test('what comes and goes is told all the same', async () => {
    const script = 'while :; do echo {} > .mcp.json; sleep 0.01; rm .mcp.json; done'
    writeFileSync(at('check.sh'), script)
    expect((await client.shell('bash check.sh')).stderr).toContain(
      `${at('.mcp.json')} is protected`,
    )
  })

  test('one goes on that works with git, and makes what runs only when somebody asks', async () => {
    const names = '-c user.name=a -c user.email=a@b.c -c protocol.file.allow=always'
    const goOn = await started(
      'git clone -q vendor/one copy && git worktree add -q tree && git -C copy log --oneline && ' +
        `git ${names} submodule add -q ./vendor/one sub; git init -q src/new\n` +
        `echo b > b; git add b; git ${names} commit -qm b; git ${names} rebase -qx true HEAD~1\n` +
        wait,
    )
    expect((await goOn()).code).toBe(0)
  })
})
