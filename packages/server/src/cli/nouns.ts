import type { Command } from 'commander'

export type AddCommands = (program: Command) => void

/** Each noun is loaded when it is asked for: a quick answer must not wait for the server. */
const nouns: Readonly<Record<string, () => Promise<AddCommands>>> = {
  up: async () => (await import('./up/up.ts')).addUp,
  demo: async () => (await import('./up/demo.ts')).addDemo,
  init: async () => (await import('./install/init.ts')).addInit,
  workflow: async () => (await import('./workflow/workflow.ts')).addWorkflow,
  process: async () => (await import('./process/process.ts')).addProcess,
  policy: async () => (await import('./policy/policy.ts')).addPolicy,
  run: async () => (await import('./run/run.ts')).addRun,
  replay: async () => (await import('./replay/command.ts')).addReplay,
  archive: async () => (await import('./archive/archive.ts')).addArchive,
  session: async () => (await import('./session/session.ts')).addSession,
  approval: async () => (await import('./approval/approval.ts')).addApproval,
  shell: async () => (await import('./shell/shell.ts')).addShell,
  login: async () => (await import('./login/login.ts')).addLogin,
  token: async () => (await import('./login/token.ts')).addToken,
  config: async () => (await import('./config/config.ts')).addConfig,
  mcp: async () => (await import('./bridge/mcp.ts')).addMcp,
  hook: async () => (await import('./bridge/hook.ts')).addHook,
  install: async () => (await import('./install/install.ts')).addInstall,
  uninstall: async () => (await import('./install/install.ts')).addUninstall,
  doctor: async () => (await import('./doctor/doctor.ts')).addDoctor,
  schema: async () => (await import('./schema.ts')).addSchema,
  completion: async () => (await import('./completion.ts')).addCompletion,
}
const aliases: Readonly<Record<string, string>> = { serve: 'up' }

/** The commands of one noun, or all where none of ours is named. */
export async function requestedNouns(first: string | undefined): Promise<AddCommands[]> {
  const name = first === undefined ? '' : (Object.hasOwn(aliases, first) && aliases[first]) || first
  // Completion knows every command by looking at them all.
  const isOne = Object.hasOwn(nouns, name) && name !== 'completion'
  const wanted = isOne ? [nouns[name]] : Object.values(nouns)
  return Promise.all(wanted.map((load) => load?.()).filter((load) => load !== undefined))
}
