import { expect, test } from 'vitest'
import { isOtherPage, scriptOf } from './page-version.ts'

const icon = '<link rel="icon" href="/assets/icon.svg" />'
const page = (script: string) =>
  `${icon}<script type="module" crossorigin src="${script}"></script>`

test('a page is another one when it begins with another script', () => {
  const one = scriptOf(page('/assets/index-1.js'))
  expect(one).toBe('/assets/index-1.js')
  expect(isOtherPage(one, page('/assets/index-1.js'))).toBe(false)
  expect(isOtherPage(one, page('/assets/index-2.js'))).toBe(true)
})

test('what cannot be compared is not another one', () => {
  const built = page('/assets/index-1.js')
  expect(isOtherPage('/assets/index-1.js', undefined)).toBe(false)
  expect(isOtherPage('/assets/index-1.js', '<h1>502 Bad Gateway</h1>')).toBe(false)
  // While developing.
  expect(scriptOf(page('/src/main.tsx'))).toBe(undefined)
  expect(isOtherPage(undefined, built)).toBe(false)
})
