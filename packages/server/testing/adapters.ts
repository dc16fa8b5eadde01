import type { Caller } from '../src/base/caller.ts'
import type { Adapter } from '../src/guard/adapter.ts'
import type { CallRequest } from '../src/guard/call-request.ts'
import type { Guard } from '../src/guard/guard.ts'
import { openCall } from '../src/guard/guarded-call.ts'

/** A way in that can do nothing for a call but tell what was decided. */
export const plainAdapter: Adapter = {
  name: 'a test',
  runs: 'as_it_is',
  waitsMs: 0,
  readsByShell: false,
  results: 'reported',
}

/** One that runs calls itself, as our own tools do. */
export const ownAdapter: Adapter = { ...plainAdapter, runs: 'itself', results: 'observed' }

/** Judges a call at once; an allow has no code. */
export async function check(guard: Guard, caller: Caller, request: CallRequest) {
  const opened = await openCall(guard, plainAdapter, caller, request)
  if (!opened.ok) return opened.error
  return { ...opened.value, decision: 'allow', code: undefined } as const
}
