import { existsSync, lstatSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
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
  expect((await client.run(`git init -q . && ${commit} && mkdir src`)).code).toBe(0)
  await client.start(writing)
})
afterEach(() => client.close())

const at = (path: string) => join(client.project, path)
const outside = (path: string) => join(client.folder, path)
const isThere = (path: string) => lstatSync(path, { throwIfNoEntry: false }) !== undefined

/** A script whose name says nothing, as `npm test` starts one. */
let scripts = 0
async function started(script: string): Promise<string> {
  scripts += 1
  const name = `check-${scripts}.sh`
  writeFileSync(at(name), script)
  const { command } = await client.before('Bash', { command: `bash ${name}` })
  expect(command).toContain('exec.cjs')
  return command ?? ''
}

async function run(script: string) {
  return client.run(await started(script))
}

describe.skipIf(!hasCage)('SH-18: what a command in a sandbox leaves behind', bound, () => {
  test('a link on the way to a protected path goes, and what it leads to stays', async () => {
    mkdirSync(outside('person/hooks'), { recursive: true })
    writeFileSync(outside('person/config.toml'), 'theirs')
    writeFileSync(outside('person/tasks.json'), 'theirs')
    const links = ['.cargo', '.vscode', '.github']
    await run(links.map((name) => `ln -s ../person ${name}\n`).join(''))
    expect(readFileSync(outside('person/config.toml'), 'utf8')).toBe('theirs')
    expect(readFileSync(outside('person/tasks.json'), 'utf8')).toBe('theirs')
    expect(existsSync(outside('person/hooks'))).toBe(true)
    expect(links.filter((name) => isThere(at(name)))).toEqual([])
  })

  test('a link that was there is taken for what it is, and so is what replaces it', async () => {
    mkdirSync(outside('person'))
    expect((await client.run('ln -s ../person .github; ln -s src/x .mcp.json')).code).toBe(0)
    await run('true')
    expect([isThere(at('.github')), isThere(at('.mcp.json'))]).toEqual([true, true])
    await run('rm .github; mkdir -p .github/hooks; echo {} > .github/hooks/a.json')
    expect(isThere(at('.github/hooks'))).toBe(false)
  })

  test('settings of clients in folders below go as well', async () => {
    const made = [
      ...['src/.claude/settings.json', 'src/.mcp.json', 'src/.cursor/hooks.json'],
      ...['src/.codex/config.toml', 'src/deep/.github/hooks/a.json', 'src/statewright.yaml'],
    ]
    await run(made.map((path) => `mkdir -p $(dirname ${path}); echo {} > ${path}\n`).join(''))
    expect(made.filter((path) => isThere(at(path)))).toEqual([])
  })

  test('those that are there are read-only', async () => {
    mkdirSync(at('src/.claude'))
    writeFileSync(at('src/.claude/settings.json'), 'theirs')
    await run('echo evil > src/.claude/settings.json')
    expect(readFileSync(at('src/.claude/settings.json'), 'utf8')).toBe('theirs')
  })

  test('a submodule with settings that run programs', async () => {
    await run(
      'git init -q /tmp/m; mkdir -p .git/modules; cp -r /tmp/m/.git .git/modules/m\n' +
        'git config -f .git/modules/m/config core.fsmonitor "touch pwned; false"\n',
    )
    expect(isThere(at('.git/modules/m/HEAD'))).toBe(true)
    expect(isThere(at('.git/modules/m/config'))).toBe(false)
  })

  test('a submodule with hooks', async () => {
    await run(
      'git init -q /tmp/m; mkdir -p .git/modules; cp -r /tmp/m/.git .git/modules/m\n' +
        'echo "touch pwned" > .git/modules/m/hooks/post-checkout\n',
    )
    expect(isThere(at('.git/modules/m/HEAD'))).toBe(true)
    expect(isThere(at('.git/modules/m/hooks'))).toBe(false)
  })

  test('a link among the submodules, and settings too large to be read', async () => {
    await run('mkdir -p .git/modules evil; ln -s ../../evil .git/modules/l\n')
    await run(
      'git init -q src/big; head -c 100000 /dev/zero | tr "\\0" "#" >> src/big/.git/config\n' +
        'printf "\\n[core]\\nfsmonitor = touch pwned\\n" >> src/big/.git/config\n',
    )
    expect(isThere(at('.git/modules/l'))).toBe(false)
    expect(isThere(at('src/big/.git/config'))).toBe(false)
  })

  test('a plan of git that holds a command', async () => {
    const todo = '.git/rebase-merge/git-rebase-todo'
    await run(`mkdir .git/rebase-merge; echo "exec touch pwned" > ${todo}`)
    expect(isThere(at(todo))).toBe(false)
    await run(`mkdir -p .git/rebase-merge; echo "pick 1234567 one" > ${todo}`)
    expect(isThere(at(todo))).toBe(true)
  })

  test('a folder that is shut does not keep it', async () => {
    const file = 'src/.claude/settings.json'
    const ran = await run(`mkdir src/.claude; echo {} > ${file}; chmod 555 src/.claude`)
    expect(isThere(at(file))).toBe(false)
    expect(ran.stderr).toContain(`${file} is protected; what was created there was moved aside`)
  })

  test.each(['TERM', 'KILL'])('a command that is cut off by SIG%s', async (signal) => {
    const command = await started('echo a > .npmrc; mkdir .husky; sleep 60')
    await client.run(`timeout -s ${signal} 4 ${command}`)
    const left = () => ['.npmrc', '.husky'].filter((path) => isThere(at(path)))
    await expect.poll(left, { timeout: 30_000 }).toEqual([])
  })

  test('two commands at the same time: neither takes for given what the other makes', async () => {
    const first = run('echo A > .npmrc; touch made; while [ ! -e seen ]; do sleep 0.1; done')
    await expect.poll(() => isThere(at('made')), { timeout: 30_000 }).toBe(true)
    const second = run('touch seen; while [ -e .npmrc ]; do sleep 0.1; done; echo B > .npmrc; true')
    await Promise.all([first, second])
    expect(isThere(at('.npmrc'))).toBe(false)
  })
})
