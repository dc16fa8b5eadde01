/** The workflow of the demo: it has a little of everything. */
export const demoWorkflow = {
  id: 'demo-bugfix',
  initial: 'planning',
  context: { cause: null },
  states: {
    planning: {
      allowed_tools: ['Read', 'Grep', 'Bash'],
      instructions: 'Find the cause; nothing is edited yet.',
      on: { FOUND: 'fixing' },
    },
    fixing: {
      allowed_tools: ['Read', 'Edit'],
      max_edit_lines: 20,
      instructions: 'Fix it in small edits.',
      on: {
        FIXED: {
          fork: {
            branches: {
              lint: { initial: 'linting', terminal: 'linted' },
              test: { initial: 'testing', terminal: 'tested' },
            },
            on_complete: 'shipping',
          },
        },
      },
    },
    migration_review: {
      allowed_tools: ['Read'],
      instructions: 'A migration was touched. Look at it again, then say REVIEWED.',
      on: { REVIEWED: '$return' },
    },
    linting: {
      allowed_tools: ['Bash'],
      allowed_commands: ['npm run lint'],
      on: { LINTED: 'linted' },
    },
    testing: {
      allowed_tools: ['Bash'],
      allowed_commands: ['npm test'],
      on: { TESTED: { target: 'tested', guard: 'tests_green' } },
    },
    linted: { type: 'final' },
    tested: { type: 'final' },
    shipping: {
      allowed_tools: ['Read'],
      on: {
        SHIP: {
          target: 'done',
          requires_approval: true,
          approval_message: 'The fix is linted and tested. Ship it?',
        },
      },
    },
    done: { type: 'final' },
  },
  guards: { tests_green: { evidence: 'tests' } },
  evidence: { tests: { tool: 'Bash', command: 'npm test', exit: 'success' } },
  interrupts: {
    migration: { trigger: { file_pattern: 'migrations/**' }, target: 'migration_review' },
  },
  meta: {
    description: 'Plays all that Statewright does: denials, a detour, a fork, evidence, a person.',
    approval_mode: 'ui',
    danger_level: 'moderate',
  },
} as const

/** One thing the scripted agent does; what comes of it is up to the rules. */
export type DemoStep =
  | { readonly say: string }
  | { readonly tool: string; readonly input: object; readonly branch?: string }
  | { readonly send: string; readonly data?: { readonly cause: string }; readonly branch?: string }

const longEdit = Array.from({ length: 60 }, (_, line) => `line ${line}`).join('\n')

export const demoSteps: readonly DemoStep[] = [
  { say: 'The agent wants to edit at once.' },
  { tool: 'Edit', input: { file_path: 'src/login.ts', old_string: 'a', new_string: 'b' } },
  { say: 'It tries the shell instead.' },
  { tool: 'Bash', input: { command: "sed -i 's/==/===/' src/login.ts" } },
  { say: 'So it looks first.' },
  { tool: 'Bash', input: { command: 'grep -rn "expires" src | head -20' } },
  { send: 'FOUND', data: { cause: 'the expiry is compared as text' } },
  { say: 'Now it may edit, but not sixty lines at once.' },
  { tool: 'Edit', input: { file_path: 'src/login.ts', old_string: 'a', new_string: longEdit } },
  { tool: 'Edit', input: { file_path: 'src/login.ts', old_string: 'a', new_string: 'b' } },
  { say: 'It touches a migration: a detour that nobody has to remember.' },
  { tool: 'Edit', input: { file_path: 'migrations/007.sql', old_string: 'a', new_string: 'b' } },
  { tool: 'Edit', input: { file_path: 'src/login.ts', old_string: 'b', new_string: 'c' } },
  { tool: 'Read', input: { file_path: 'migrations/007.sql' } },
  { send: 'REVIEWED' },
  { say: 'Back where it was. Two branches, each with its own tools.' },
  { send: 'FIXED' },
  { tool: 'Bash', input: { command: 'npm test' }, branch: 'lint' },
  { tool: 'Bash', input: { command: 'npm run lint' }, branch: 'lint' },
  { send: 'LINTED', branch: 'lint' },
  { say: 'It claims that the tests pass. Nobody has seen them run.' },
  { send: 'TESTED', branch: 'test' },
  { tool: 'Bash', input: { command: 'npm test' }, branch: 'test' },
  { send: 'TESTED', branch: 'test' },
  { say: 'Both branches have joined. Shipping is for a person to decide.' },
  { send: 'SHIP' },
]
