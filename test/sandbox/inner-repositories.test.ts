import { existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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
  const made = await client.run(
    'git init -q . && git init -q vendor/one && echo one > vendor/one/a && ' +
      'git -C vendor/one add a && ' +
      'git -C vendor/one -c user.name=a -c user.email=a@b.c commit -qm one && ' +
      // As a submodule: its `.git` is a file that leads elsewhere.
      'mkdir .gits && git init -q --separate-git-dir .gits/two two',
  )
  expect(made.code).toBe(0)
  await client.start(writing)
})
afterEach(() => client.close())

const at = (path = '') => join(client.project, path)

/** A script whose name says nothing, as `npm test` starts one. */
function run(script: string) {
  writeFileSync(at('check.sh'), script)
  return client.shell('sh check.sh')
}

function texts(paths: readonly string[]): (string | undefined)[] {
  return paths.map((path) => (existsSync(at(path)) ? readFileSync(at(path), 'utf8') : undefined))
}

describe.skipIf(!hasCage)('SH-18: a repository in a folder below the workspace', bound, () => {
  test('is held in what runs later or says where that stands', async () => {
    const held = ['vendor/one/.git/config', 'two/.git', '.gits/two/config']
    const absent = [
      ...['vendor/one/.git/commondir', 'vendor/one/.git/config.worktree'],
      ...['vendor/one/.git/hooks/pre-commit', 'vendor/one/.git/info/attributes'],
      ...['.gits/two/commondir', '.gits/two/config.worktree'],
    ]
    const before = texts(held)
    const ran = await run(
      [...held, ...absent].map((path) => `echo evil > ${path}\n`).join('') +
        'mv vendor v && cp -r v vendor && echo evil > vendor/one/.git/config\n',
    )
    expect(ran.command).toContain('exec.cjs')
    expect(texts(held)).toEqual(before)
    expect(texts(absent)).toEqual(absent.map(() => undefined))
    expect(ran.stderr).toContain('cannot create vendor/one/.git/commondir: Read-only')
    await run('mv vendor/one/.git g; cp -r g vendor/one/.git; echo evil > vendor/one/.git/config')
    expect(texts(held)).toEqual(before)
  })

  test('is held in what its configuration leads to, like that of the workspace', async () => {
    const made = await client.run(
      'mkdir scripts tools .githooks hooks vendor/one/mine && ' +
        'touch shared.cfg vendor/one/in.cfg && ' +
        'touch scripts/pp.sh tools/fsm.sh .githooks/pre-commit vendor/one/mine/pre-commit && ' +
        'git config include.path ../shared.cfg && git config core.fsmonitor ./tools/fsm.sh && ' +
        'ln -s ../../scripts/pp.sh .git/hooks/pre-push && ' +
        'git config --global core.hooksPath .githooks && ' +
        'git -C vendor/one config core.hooksPath mine && ' +
        'git -C vendor/one config include.path "$PWD/vendor/one/in.cfg"',
    )
    expect(made.code).toBe(0)
    const held = [
      ...['shared.cfg', 'scripts/pp.sh', 'tools/fsm.sh', '.githooks/pre-commit'],
      ...['vendor/one/mine/pre-commit', 'vendor/one/in.cfg'],
    ]
    const lines = held.map((path) => `echo evil > ${path}`)
    await run([...lines, 'echo ok > hooks/free'].join('\n'))
    expect(texts(held)).toEqual(held.map(() => ''))
    expect(texts(['hooks/free'])).toEqual(['ok\n'])
    const { denied = '' } = await client.before('Write', { file_path: at(held[0]), content: 'x' })
    expect(denied).toContain('approval_required')
  })

  test('is held before decoys that were made later', async () => {
    const made = await client.run(
      'for i in $(seq 70); do mkdir -p aa$i/.git/objects aa$i/.git/refs; ' +
        'echo "ref: refs/heads/main" > aa$i/.git/HEAD; touch aa$i/.git/config; done',
    )
    expect(made.code).toBe(0)
    const before = texts(['vendor/one/.git/config'])
    await run('echo evil > vendor/one/.git/config')
    expect(texts(['vendor/one/.git/config'])).toEqual(before)
  })

  test('is worked in as always', async () => {
    const script = 'cd vendor/one; echo two > b; git add b; git commit -qm two; git log --oneline'
    writeFileSync(at('check.sh'), script)
    const ran = await client.shell('sh check.sh', {
      ...{ GIT_AUTHOR_NAME: 'a', GIT_AUTHOR_EMAIL: 'a@b.c' },
      ...{ GIT_COMMITTER_NAME: 'a', GIT_COMMITTER_EMAIL: 'a@b.c' },
    })
    expect(ran.stdout.trim().split('\n')).toHaveLength(2)
  })

  test('that a command makes stays as git makes it, and works', async () => {
    const ran = await run(
      'git clone -q vendor/one deep/er/copy && git -C deep/er/copy log --oneline && ' +
        'git -C vendor/one worktree add -q ../../tree && git -C tree log --oneline',
    )
    expect([ran.code, ran.stderr]).toEqual([0, expect.not.stringContaining('put aside')])
    const after = await client.run('git -C deep/er/copy status && git -C tree status')
    expect(after.code).toBe(0)
  })

  test.each([
    ['hooks', 'hooks/post-checkout', 'touch made'],
    ['config', 'config', '[core]\n\tfsmonitor = touch made'],
    ['config', 'config', '[include]\n\tpath = ../evil'],
    ['config', 'config', '[submodule "x"]\n\tupdate = !touch made'],
    ['commondir', 'commondir', '../evil'],
    ['info/attributes', 'info/attributes', '* filter=evil'],
  ])('that a command makes loses %s where it has %s: %s', async (name, file, text) => {
    writeFileSync(at('text'), text)
    const git = at('deep/er/new/.git')
    const ran = await run(
      `git init -q deep/er/new && mkdir -p ${git}/hooks && cp text ${git}/${file}`,
    )
    expect(ran.stderr).toContain(
      `${join(git, name)} is protected; what was created there was moved aside`,
    )
    expect(existsSync(join(git, name))).toBe(false)
    const kept = readdirSync(dirname(join(git, name)))
    expect(kept.some((one) => one.includes('.refused-'))).toBe(true)
    expect((await client.run('git -C deep/er/new status; ls made')).stdout).not.toContain('made')
  })

  test('that a command makes loses a `.git` that leads to settings of its own', async () => {
    mkdirSync(at('docs'))
    const ran = await run(
      'git init -q --bare store && printf "[core]\\n\\tpager = evil\\n" > store/config && ' +
        'echo "gitdir: ../store" > docs/.git',
    )
    expect(ran.stderr).toContain(`${at('docs/.git')} is protected`)
    expect(existsSync(at('docs/.git'))).toBe(false)
  })

  test.each([
    ['leads nowhere yet', 'src', 'gitdir: ../later'],
    ['leads into its own folder', 'src', 'gitdir: gd'],
    ['leads out of the workspace', 'src', 'gitdir: ../../home/private'],
    ['is no repository at all', 'src', 'later'],
  ])('that a command makes loses a `.git` that %s', async (_, folder, text) => {
    const ran = await run(`mkdir -p ${folder}; echo "${text}" > ${folder}/.git`)
    expect(ran.stderr).toContain(`${at(`${folder}/.git`)} is protected`)
    expect(existsSync(at(`${folder}/.git`))).toBe(false)
  })

  test.each(['hooks', 'info', 'config', 'commondir', 'modules', 'worktrees'])(
    'that a command makes loses %s where it is a link that leads nowhere yet',
    async (name) => {
      const path = `deep/new/.git/${name}`
      await run(`git init -q deep/new; rm -rf ${path}; ln -s ../../later ${path}`)
      expect(lstatSync(at(path), { throwIfNoEntry: false })).toBeUndefined()
    },
  )

  test('may be led to from a new folder, once it is known', async () => {
    const ran = await run('mkdir docs; echo "gitdir: ../vendor/one/.git" > docs/.git')
    expect([ran.stderr, existsSync(at('docs/.git'))]).toEqual(['', true])
  })
})
