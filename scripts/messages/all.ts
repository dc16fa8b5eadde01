import { codes } from '@statewright/core/internal'
import { parse } from '../../test/tidy/syntax.ts'
import { isSource, isTest, readTree } from '../../test/tidy/tree.ts'
import type { Message } from './find-messages.ts'
import { allMessages } from './phrases.ts'

/** Words of other languages: names of programs, diagrams, tables of the database. */
const foreign = /^packages\/(core\/src\/(shell\/entries|graph)|server\/src\/store\/.*migrations)/

/** The messages of the whole product; tests and tools have none. */
export function messages(): readonly Message[] {
  const files = readTree()
    .filter(({ path }) => /^packages\/\w+\/(src|bin|plugin)\//.test(path) && !foreign.test(path))
    .filter(({ path }) => (isSource(path) || /\.c?js$/.test(path)) && !isTest(path))
    .map(parse)
  return allMessages(files, (word) => Object.hasOwn(codes, word))
}
