#!/usr/bin/env node
// What clients start again and again must not wait for the rest of the command line.
const [, , noun, first] = process.argv
const isQuick = (noun === 'hook' || noun === 'exec') && /^[^-]/.test(first ?? '-')
if (!isQuick) {
  await import('./quiet-sqlite.mjs')
  await import('./keep-compiled.mjs')
}
await import(isQuick ? `./${noun}.cjs` : '../src/cli/main.ts')
