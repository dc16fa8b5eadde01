/**
 * Tells zod not to try `eval`, which our content policy forbids: the browser would report each try
 * as an attack. It reads this when its own module starts, so this file is imported first.
 */
Object.assign(globalThis, { __zod_globalConfig: { jitless: true } })
