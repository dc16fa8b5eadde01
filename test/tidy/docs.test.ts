import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { deadLinks, unexplainedDependencies, workplacePaths } from './doc-rules.ts'
import { house } from './house.ts'
import { readTree, root, shown } from './tree.ts'

const tree = readTree()

describe('the tree', () => {
  test('every link in a document leads somewhere', () => {
    // Pictures are no text to be checked, but links lead to them.
    const images = readdirSync(join(root, 'docs', 'images')).map((name) => `docs/images/${name}`)
    const paths = new Set([...tree.map((file) => file.path), ...images])
    expect(shown(deadLinks(tree, paths))).toEqual([])
  })

  test('no file names a place outside the repository', () => {
    expect(shown(workplacePaths(tree))).toEqual([])
  })

  test('every dependency has a decision that explains it', () => {
    const reasons = tree.find((file) => file.path === 'docs/adr/README.md')?.text ?? ''
    const manifests = tree.filter((file) => /(^|\/)package\.json$/.test(file.path))
    expect(manifests).toHaveLength(4)
    expect(shown(unexplainedDependencies(manifests, reasons))).toEqual([])
  })

  test('the list of decisions holds each page, in order', () => {
    const list = tree.find((file) => file.path === 'docs/adr/README.md')?.text ?? ''
    const listed = [...list.matchAll(/^\| \[\d+\]\((\d.+\.md)\) \|/gm)].map(([, name]) => name)
    expect(listed).toEqual(
      readdirSync(join(root, 'docs', 'adr')).filter((name) => /^\d/.test(name)),
    )
  })

  test('ARCHITECTURE.md has a row for every room, and the files that it names are there', () => {
    const page = tree.find((file) => file.path === 'ARCHITECTURE.md')?.text ?? ''
    const rooms = Object.keys(house.arrows).filter((room) => !house.fronts.includes(room))
    const names = [...new Set(rooms.map((room) => room.split('/')[1]))]
    expect(names.filter((room) => !page.includes(`| \`${room}\` |`))).toEqual([])
    const files = [...page.matchAll(/`([\w./-]+\.ts)`/g)].map(([, file]) => `/${file}`)
    expect(files.length).toBeGreaterThan(50)
    const paths = tree.map((file) => `/${file.path}`)
    const isThere = (file: string) => paths.some((path) => path.endsWith(file))
    expect(files.filter((file) => !isThere(file))).toEqual([])
  })

  test('the files a newcomer looks for are there', () => {
    const wanted = ['README.md', 'ARCHITECTURE.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'LICENSE']
    expect(wanted.filter((name) => !existsSync(join(root, name)))).toEqual([])
  })
})

describe('a bad document is found', () => {
  const other = { path: 'docs/b.md', text: '# The title, here\n' }
  const links = (text: string) => shown(deadLinks([{ path: 'docs/a.md', text }, other]))

  test.each([
    ['a dead link', '[b](c.md)', 1],
    ['a dead link on line 3', 'x\n\n[b](../c.md)', 1],
    ['a dead heading', '[b](b.md#another)', 1],
    ['a dead heading of its own', '[b](#another)', 1],
    ['a link to a file', '[b](b.md)', 0],
    ['a link to a folder', '[b](../docs/)', 0],
    ['a link to a heading', '[b](b.md#the-title-here)', 0],
    ['a link to the web', '[b](https://example.com/c.md)', 0],
    ['brackets in code', '`[b](c.md)`', 0],
  ])('%s', (_, text, count) => {
    expect(links(text)).toHaveLength(count)
  })

  test('a place outside the repository', () => {
    const pattern = ['', 'work', 'main'].join('/')
    const found = shown(workplacePaths([{ path: 'a.ts', text: `ok\n// see ${pattern}/x` }]))
    expect(found).toEqual(['a.ts:2 names a place outside the repository'])
    expect(workplacePaths([{ path: 'a.ts', text: `// src${pattern} and x/workspace/` }])).toEqual(
      [],
    )
  })

  test('a dependency that nobody explained', () => {
    const text = '{\n"dependencies": { "a": "1" },\n"devDependencies": { "b": "1" } }'
    const found = unexplainedDependencies([{ path: 'package.json', text }], '| `a` | x |')
    expect(shown(found)).toEqual(['package.json:3 depends on b, which docs/adr does not explain'])
  })
})
