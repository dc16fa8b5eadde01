import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { changedFiles, type Program, programFiles } from './program-files.ts'

let outer: string
let folder: string

beforeAll(() => {
  outer = realpathSync(mkdtempSync(join(tmpdir(), 'statewright-programs-')))
  folder = join(outer, 'project')
  for (const file of [
    'server.mjs',
    'tools/run.sh',
    'tools/index.js',
    'data.db',
    'package.json',
    'Makefile',
    'node_modules/.bin/server-fs',
    'node_modules/@x/server-fs/package.json',
    '../outside.mjs',
  ]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), file)
  }
  chmodSync(join(folder, 'tools/run.sh'), 0o755)
  symlinkSync(join(outer, 'outside.mjs'), join(folder, 'link.mjs'))
})
afterAll(() => rmSync(outer, { recursive: true, force: true }))

const named = (program: Program) =>
  programFiles(program, {
    folder,
    environment: { PATH: '/usr/bin', SCRIPT: 'server.mjs', HERE: folder },
  }).map(({ file }) => file)

test.each<[string, Program, string[]]>([
  ['a script', { command: 'node', args: ['server.mjs', '.'] }, ['server.mjs']],
  ['the program itself', { command: './tools/run.sh' }, ['tools/run.sh']],
  ['a script in its folder', { command: 'sh', args: ['run.sh'], cwd: 'tools' }, ['tools/run.sh']],
  ['an absolute path', { command: `\${HERE}/tools/run.sh` }, ['tools/run.sh']],
  ['a variable', { command: 'node', args: [`\${SCRIPT}`] }, ['server.mjs']],
  ['an option', { command: 'node', args: ['--import=./server.mjs'] }, ['server.mjs']],
  ['a line of a shell', { command: 'sh', args: ['-c', 'exec node "server.mjs";'] }, ['server.mjs']],
  ['its environment', { command: 'x', env: { NODE_OPTIONS: '-r ./server.mjs' } }, ['server.mjs']],
  ['a folder', { command: 'node', args: ['tools'] }, ['tools/index.js']],
  ['a link to elsewhere', { command: 'node', args: ['link.mjs'] }, ['link.mjs']],
  ['a script of the package', { command: 'npm', args: ['run', 'mcp'] }, ['package.json']],
  ['a rule', { command: 'make', args: ['serve'] }, ['Makefile']],
  [
    'an installed package',
    { command: 'npx', args: ['-y', '@x/server-fs@1.2'] },
    ['node_modules/.bin/server-fs', 'node_modules/@x/server-fs/package.json'],
  ],
  ['PATH in the project', { command: 'run.sh', env: { PATH: 'tools:/bin' } }, ['tools/run.sh']],
  ['data', { command: 'serve', args: ['--db', 'data.db'] }, []],
  ['a file elsewhere', { command: 'node', args: ['../outside.mjs'] }, []],
  ['nothing', { command: 'npx', args: ['-y', 'other'] }, []],
])('SH-18b: %s is bound to what was accepted', (_, program, files) => {
  expect(named(program)).toEqual(files)
})

test('SH-18b: a file that is new, gone or another is changed', () => {
  const file = (name: string, sha256: string) => ({ file: name, sha256 })
  const before = [file('same', 'a'), file('other', 'a'), file('gone', 'a')]
  const after = [file('same', 'a'), file('other', 'b'), file('new', 'a')]
  expect(changedFiles(before, after)).toEqual(['other', 'gone', 'new'])
})

test('SH-18b: what a program loads in turn is part of it, as far as its text tells', () => {
  const files: Record<string, string> = {
    'up/up.mjs': "import { a } from './lib.mjs'\nconst b = await import('./lazy.mjs')\n",
    'up/lib.mjs': "export * from '../shared/deep.js'\nimport 'node:fs'\n",
    'up/lazy.mjs': '',
    'shared/deep.js': "require('./deeper')\n",
    'shared/deeper.js': "require('./deep')\n",
    'py/main.py': 'import helper, os\nfrom .pack import thing\n',
    'py/helper.py': '',
    'py/pack/__init__.py': '',
    'sh/run.sh': '#!/bin/sh\n. ./env.sh\nexec ./real "$@"\n',
    'sh/env.sh': '',
    'sh/real': '',
    'node_modules/served/package.json': '{"bin":{"served":"./cli.js"},"main":"main.js"}',
    'node_modules/served/cli.js': "require('./main.js')",
    'node_modules/served/main.js': '',
  }
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), text)
  }
  const below = (start: string) => Object.keys(files).filter((file) => file.startsWith(start))
  expect(named({ command: 'node', args: ['up/up.mjs'] })).toEqual(
    [...below('up/'), ...below('shared/')].sort(),
  )
  expect(named({ command: 'python3', args: ['py/main.py'] })).toEqual(below('py/').sort())
  expect(named({ command: 'sh', args: ['sh/run.sh'] })).toEqual(below('sh/').sort())
  expect(named({ command: 'npx', args: ['served'] })).toEqual(below('node_modules/').sort())
})
