#!/usr/bin/env node
// A client hook is started again and again, and must not wait for the rest of the command line.
const isHook = process.argv[2] === 'hook' && /^[^-]/.test(process.argv[3] ?? '-')
await import(isHook ? './hook.cjs' : '../src/cli/main.ts')
