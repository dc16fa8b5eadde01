import { readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { pictures } from '../scripts/pictures/all.ts'

const folder = fileURLToPath(new URL('../docs/images/', import.meta.url))

test('the drawings of the guide show its definitions; "npm run pictures" draws them', async () => {
  const drawn = await pictures()
  const kept = readdirSync(folder).filter((name) => name.startsWith('graph-'))
  expect(kept.sort()).toEqual([...drawn.keys()].sort())
  for (const [name, svg] of drawn) {
    expect([name, readFileSync(`${folder}${name}`, 'utf8')]).toEqual([name, svg])
  }
})
