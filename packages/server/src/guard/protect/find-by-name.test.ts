import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { makeWorld, removeWorld, shell } from './protect.test-kit.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

describe('SH-18: find that acts on what it finds', () => {
  test.each([
    'find . -name "*.log" -delete',
    'find . -type f -name "*.pyc" -delete',
    'find src -iname "*.bak" -delete',
    'find . -name node_modules -prune -delete',
  ])('%s removes nothing of ours', (command) => {
    expect(shell(command)).toBe('allow')
  })

  test.each([
    'find . -delete',
    'find . -delete -name "*.log"',
    'find . -name "*.log" -o -delete',
    'find . ! -name "*.log" -delete',
    'find . -not -name "*.log" -delete',
    'find . -name "*.yaml" -delete',
    'find . -name "*" -delete',
    'find . -name "$x" -delete',
    'find -L . -name "*.log" -delete',
  ])('%s may', (command) => {
    expect(shell(command)).not.toBe('allow')
  })
})
