import { describe, expect, test } from 'vitest'
import { commandPattern } from './command-pattern.ts'

describe('a command on other files', () => {
  test.each([
    ['npm test -- src/cart.test.ts', 'npm test -- *'],
    ['cat src/a.ts docs/b.md', 'cat * *'],
    ['npm run build', null],
    ['rm -rf src/old', null],
    ['git add src/a.ts', null],
    ['npm test -- src/a.ts > out.txt', null],
    ['npm test -- ../other/a.ts', null],
    ['cat src/a.ts; ls', null],
    // Another file would be other code, or another host.
    ['bash scripts/a.sh', null],
    ['node scripts/a.js', null],
    ['awk -f a.awk b.txt', null],
    ['ruby -r ./a.rb', null],
    ['make -f a.mk', null],
    ['psql -f a.sql', null],
    ['deno run a.ts', null],
    ['./deploy.sh a.txt', null],
    ['curl example.org/a', null],
    ['vitest run src/a.test.ts', 'vitest run *'],
  ])('PO-7e: %s is offered as %s', (command, pattern) => {
    expect(commandPattern(command)?.join(' ') ?? null).toBe(pattern)
  })
})
