import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { folder, home, makeWorld, prefix, removeWorld, root, shell } from './protect.test-kit.ts'

beforeAll(() => {
  makeWorld()
  writeFileSync(join(root, 'settings.json'), '{}')
  mkdirSync(join(folder, 'elsewhere'))
})
afterAll(removeWorld)

describe('SH-18: git, told that its files lie elsewhere', () => {
  test.each([
    `git --work-tree=${home} add -A`,
    `git --work-tree ${home} add -A`,
    'git --work-tree=$HOME add -A',
    'git --work-tree="$HOME" add -A',
    'git --work-tree=~ add -A',
    'git --work-tree=$HOME grep --untracked sw_',
    'GIT_WORK_TREE=$HOME git add -A',
    'export GIT_WORK_TREE=$HOME; git add -A',
    'env GIT_WORK_TREE=$HOME git stash -u',
    'git -c core.worktree=$HOME add -A',
    'git --work-tree="$X" add -A',
    `cd ~ && git --git-dir=${root}/.git add -A`,
    `cd ~ && git --git-dir=${root}/.git grep --untracked sw_`,
    'cd ~ && git init && git add -A',
    'cd .. && git add -A',
    'git -C ~ add -A',
    'git --work-tree=$HOME diff',
    'git --work-tree=$HOME clean -fdx',
    'git --work-tree=$HOME reset --hard',
    'git --work-tree=$HOME checkout -f',
    'git --work-tree=.claude checkout -f',
    'git --work-tree=.claude checkout-index -f settings.json',
    'cd .claude && git --git-dir=../.git checkout-index -f settings.json',
    'cd .claude && GIT_DIR=../.git git checkout-index -a',
    'git checkout-index --prefix=.claude/ -f settings.json',
    'git checkout-index --prefix=.claude/ -a',
    'git checkout-index --prefix .cursor/ -a',
    `git checkout-index --prefix=${folder}/program/ -f add.js`,
    'git read-tree -u --prefix=.claude/ HEAD',
    'git subtree add --prefix=.claude x main',
    `git worktree add ${home}/.claude`,
    'git worktree add .cursor HEAD',
    'git clone x .cursor',
    'git submodule add x .claude',
    'git update-index --add --cacheinfo 100644,1234,.claude/settings.json',
  ])('%s', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    'git checkout-index --prefix=.git/hooks/ -a',
    'git checkout-index --prefix=.husky/ -a',
  ])('%s asks', (command) => {
    expect(shell(command)).toBe('ask')
  })

  test.each([
    'git -C sub add -A',
    'git add -A && git commit -m x',
    'cd sub && git checkout .',
    'cd .. && git status',
    `cd ${folder}/elsewhere && git add -A`,
    `git --work-tree=${folder}/elsewhere add -A`,
    'git worktree add sub/topic',
    'git clone x sub/y',
    'git clone --depth 1 https://example.com/y',
    'git checkout-index --prefix=sub/ -a',
    'git archive --prefix=x/ HEAD',
    'npm --prefix sub test',
  ])('%s is not held', (command) => {
    expect(shell(command)).toBe('allow')
  })
})

describe('SH-18: our program, by names that are found', () => {
  test.each([
    `find ${prefix} -name 'README.md' -exec truncate -s0 {} +`,
    `find ${prefix} -name 'README.md' -exec cp x {} \\;`,
    `find ${prefix} -name '*.md' | xargs rm`,
    `find ${prefix} -type f -execdir rm {} +`,
    `find ${folder}/program -type f -exec sed -i s/a/b/ {} +`,
    `find ${folder} -name '*.cjs' | xargs rm`,
    `find ${folder} -print0 | xargs -0 truncate -s0`,
    'npm uninstall -g statewright',
    'npm rm --global @statewright/core',
    'npm i -g statewright@0.0.1',
    'npm update -g',
    `npm i -g --prefix ${prefix} ./evil`,
    `npm i --prefix=${prefix}/lib ./evil`,
    `npm_config_prefix=${prefix} npm i -g ./evil`,
    `cd ${prefix}/lib && npm i ./evil`,
    `pnpm add -g statewright`,
    `docker cp x:/y ${folder}/program`,
  ])('%s', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    `find ${root} -name '*.log' -exec rm {} +`,
    `find ${prefix} -name '*.log' -exec rm {} +`,
    'npm i -g typescript',
    'npm install',
    'cd sub && npm install',
  ])('%s is not held', (command) => {
    expect(shell(command)).toBe('allow')
  })
})

describe('SH-18: what a container is shown', () => {
  test.each([
    `docker run --mount type=bind,source=${home},target=/x alpine cat /x/a`,
    `docker run --mount=type=bind,src=/,dst=/x alpine cat /x/a`,
    `docker run --volume=${home}:/x alpine`,
    `docker run -v${home}:/x alpine`,
    'docker run -v "$PWD/..":/x alpine',
    'podman run --mount=type=bind,src=/,dst=/x alpine',
  ])('%s', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    'docker run -v "$PWD":/x alpine ls',
    `docker run --mount type=bind,source=${root},target=/x alpine`,
    'docker build .',
  ])('%s is not held', (command) => {
    expect(shell(command)).toBe('allow')
  })
})
