import type { BodyFor, endpoints } from '@statewright/core/wire'

export type NewSession = BodyFor<typeof endpoints.startSession>

/** What the form for a new session holds: plain text, as it was typed. */
export interface StartForm {
  readonly harness: string
  readonly workspace: string
  /** `workflow:<name>`, `process:<name>`, or nothing. */
  readonly rules: string
  readonly script: string
  readonly model: string
  readonly address: string
  /** A known agent, or nothing for one that is given by its command. */
  readonly agent: string
  readonly command: string
}

export const emptyForm: StartForm = {
  harness: 'claude-code',
  workspace: '',
  rules: '',
  script: '',
  model: '',
  address: '',
  agent: 'claude',
  command: '',
}

/** Agents that the server knows how to start; any other one is given by its command. */
export const knownAgents = ['claude', 'gemini', 'opencode', 'copilot', 'codex'] as const

/** What is sent for the form, or what is still missing in it. */
export function startRequest(form: StartForm): NewSession | { readonly missing: string } {
  const workspace = form.workspace.trim()
  if (workspace === '') return { missing: 'Which folder does it work in?' }
  const options = harnessOptions(form)
  if (typeof options === 'string') return { missing: options }
  const [kind, ...rest] = form.rules.split(':')
  const name = rest.join(':')
  return {
    harness: form.harness,
    projectPath: workspace,
    options,
    ...(kind === 'workflow' ? { workflow: name } : {}),
    ...(kind === 'process' ? { process: name } : {}),
  }
}

function harnessOptions(form: StartForm): Readonly<Record<string, unknown>> | string {
  const model = form.model.trim()
  const address = form.address.trim()
  const script = form.script.trim()
  const command = form.command.trim()
  switch (form.harness) {
    case 'scripted':
      return script === '' ? 'Which script does it play?' : { script }
    case 'model':
      return {
        ...(model === '' ? {} : { model }),
        ...(address === '' ? {} : { base_url: address }),
      }
    case 'claude-code':
      return model === '' ? {} : { model }
    case 'acp':
      if (form.agent !== '') return { agent: form.agent }
      return command === '' ? 'Which command starts the agent?' : { command: command.split(/\s+/) }
    default:
      return 'Which harness runs it?'
  }
}
