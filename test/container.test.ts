import { readFileSync } from 'node:fs'
import { validate } from 'dockerfile-utils'
import { expect, test } from 'vitest'

function findings(text: string): readonly string[] {
  return validate(text).map(({ message, range }) => `${range.start.line + 1}: ${message}`)
}

test('the container file has nothing that a linter would name', () => {
  const file = new URL('../Containerfile', import.meta.url)
  expect(findings(readFileSync(file, 'utf8'))).toEqual([])
})

test('the linter does name what is wrong', () => {
  const text = 'FROM node:24\nMAINTAINER ann\nWORKDIR opt\nEXPOSE many\nCMD ["a"]\nCMD ["b"]\n'
  const lines = findings(text).map((finding) => Number.parseInt(finding, 10))
  expect(new Set(lines)).toEqual(new Set([2, 3, 4, 5]))
})
