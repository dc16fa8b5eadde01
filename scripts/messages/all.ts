import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { codes } from '@statewright/core/internal'
import { parse } from '../../test/tidy/syntax.ts'
import { isSource, isTest, readTree, root, type TextFile } from '../../test/tidy/tree.ts'
import type { Message } from './find-messages.ts'
import { allMessages } from './phrases.ts'

/** Words of other languages: names of programs, diagrams, tables of the database. */
const foreign =
  /^packages\/(core\/src\/(shell\/entries|graph)|server\/src\/store\/.*migrations|.*editor-look)/

/** The messages of the whole product; tests and tools have none. */
export function messages(): readonly Message[] {
  const files = [...readTree(), ...startedByClients()]
    .filter(({ path }) => /^packages\/\w+\/(src|bin|plugin)\//.test(path) && !foreign.test(path))
    .filter(({ path }) => (isSource(path) || /\.c?js$/.test(path)) && !isTest(path))
    .map(parse)
  return allMessages(files, (word) => Object.hasOwn(codes, word))
}

/** The programs that clients start, such as the hook: checks of the tree leave them out. */
function startedByClients(): readonly TextFile[] {
  const folder = 'packages/server/bin'
  return readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.cjs'))
    .map((name) => `${folder}/${name}`)
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}
