/** Workflows as people write them, with everything that the dashboard has to show. */

export const bugfix = {
  id: 'bugfix',
  initial: 'planning',
  context: { cause: null, ticket: 'BUG-1042' },
  states: {
    planning: {
      allowed_tools: ['Read', 'Grep', 'Glob'],
      instructions: 'Find the cause. Do not change files yet.',
      max_iterations: 12,
      on: { FOUND: 'fixing', GIVE_UP: 'failed' },
    },
    fixing: {
      allowed_tools: ['Read', 'Edit', 'Write'],
      instructions: 'Fix the cause with as little change as possible.',
      max_edit_lines: 40,
      max_files_per_state: 3,
      max_iterations: 20,
      on: { FIXED: { target: 'testing', guard: 'cause_known' } },
    },
    testing: {
      allowed_tools: ['Read', 'Bash'],
      allowed_commands: ['npm test', 'npm run lint'],
      context_budget_bytes: 200_000,
      on: {
        PASSED: { target: 'done', guard: 'tests_ran' },
        FAILED: 'fixing',
      },
    },
    migrating: {
      allowed_tools: ['Read', 'Bash'],
      allowed_commands: ['npm run migrate'],
      on: { CHECKED: '$return', BROKEN: 'failed' },
    },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
  guards: {
    cause_known: { field: 'cause', op: 'exists' },
    tests_ran: { evidence: 'tests' },
  },
  evidence: { tests: { tool: 'Bash', command: 'npm test', trust: 'reported' } },
  interrupts: {
    migration: { trigger: { file_pattern: 'db/**/*.sql' }, target: 'migrating' },
  },
  meta: {
    description: 'Fix a bug in small, checked steps.',
    danger_level: 'safe',
    debug: true,
  },
}

export const deploy = {
  id: 'deploy',
  initial: 'preparing',
  context: { version: '2.4.0', risk: 'low' },
  states: {
    preparing: {
      allowed_tools: ['Read', 'Grep', 'Bash', 'Write'],
      on: {
        READY: {
          target: 'releasing',
          requires_approval: true,
          approval_message: 'Put the version onto production?',
          guards: ['has_version'],
        },
      },
    },
    releasing: {
      allowed_tools: ['Bash'],
      on: { RELEASED: 'done', BROKEN: 'failed' },
    },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
  guards: { has_version: { field: 'version', op: 'exists' } },
  policy: {
    ask: [{ capability: 'bash' }],
    default: 'allow',
  },
  meta: {
    description: 'Put a version onto production, with a person watching.',
    danger_level: 'moderate',
    approval_mode: 'ui',
  },
}

export const review = {
  id: 'review',
  initial: 'reading',
  states: {
    reading: {
      allowed_tools: ['Read', 'Grep', 'Glob'],
      on: {
        SPLIT: {
          fork: {
            branches: {
              security: { initial: 'checking_security', terminal: 'security_done' },
              style: { initial: 'checking_style', terminal: 'style_done' },
            },
            join: 'all',
            on_complete: 'summing_up',
            on_fail: 'failed',
          },
        },
      },
    },
    checking_security: { allowed_tools: ['Read', 'Grep'], on: { CHECKED: 'security_done' } },
    security_done: { type: 'final' },
    checking_style: { allowed_tools: ['Read'], on: { CHECKED: 'style_done' } },
    style_done: { type: 'final' },
    summing_up: { allowed_tools: ['Write'], on: { WRITTEN: 'done' } },
    done: { type: 'final' },
    failed: { type: 'final' },
  },
  meta: { description: 'Review a change in two lanes.', danger_level: 'safe' },
}
