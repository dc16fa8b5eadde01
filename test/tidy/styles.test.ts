import { expect, test } from 'vitest'
import { sharedClasses, strayStyles } from './styles.ts'
import { readTree, shown } from './tree.ts'

test('sizes and colours of the dashboard stand in the scale of its theme', () => {
  expect(shown(strayStyles(readTree()))).toEqual([])
})

test('a stray size or colour is found', () => {
  const path = 'packages/dashboard/src/pages/x.css'
  const found = (line: string) => shown(strayStyles([{ path, text: `.x {\n  ${line};\n}\n` }]))
  expect(found('font-size: 13px')).toEqual([
    `${path}:2 a size of type outside the scale: font-size: 13px`,
  ])
  expect(found('color: #fff')).toEqual([`${path}:2 a colour that the theme does not name: #fff`])
  expect(found('padding: 0 0.3rem')).toHaveLength(1)
  expect(found('font-weight: 600')).toHaveLength(1)
  expect(found('border-radius: 3px')).toHaveLength(1)
  expect(found('padding: 0 var(--space-1)')).toEqual([])
})

test('no two pages style the same class', () => {
  expect(shown(sharedClasses(readTree()))).toEqual([])
})

test('a class that two pages style is found, one that a page refines is not', () => {
  const file = (name: string, text: string) => ({
    path: `packages/dashboard/src/pages/${name}.css`,
    text,
  })
  const one = file('run', '.tool {\n  width: 1rem;\n}\n')
  expect(shown(sharedClasses([one, file('session', '.x,\n.tool:hover {\n}\n')]))).toEqual([
    `packages/dashboard/src/pages/session.css:2 .tool is styled by ${one.path} as well`,
  ])
  expect(sharedClasses([one, file('session', '.chat .tool {\n}\n')])).toEqual([])
})
