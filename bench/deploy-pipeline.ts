/** The complete reference workflow, and a walk of five events through it, for both engines. */
export const deployPipeline = {
  id: 'deploy-pipeline',
  initial: 'planning',
  context: { test_result: null, coverage: 0, approved: false },
  meta: { task_type: 'deployment', danger_level: 'dangerous', requires_human_approval: true },
  states: {
    planning: {
      allowed_tools: ['Read', 'Grep', 'Glob'],
      max_iterations: 10,
      context_budget_bytes: 50_000,
      safe_next: 'testing',
      on: { READY: 'testing', FAIL: 'failed' },
    },
    testing: {
      allowed_tools: ['Read', 'Bash'],
      allowed_commands: ['pytest', 'npm test', 'cargo test'],
      blocked_env: ['PROD_DB_URL'],
      max_iterations: 15,
      on: {
        EVALUATE: [
          { target: 'deploying', guard: 'deploy_ready' },
          { target: 'fixing', guard: 'tests_failed' },
          { target: 'failed' },
        ],
      },
    },
    fixing: {
      allowed_tools: ['Read', 'Edit'],
      max_edit_lines: 20,
      max_files_per_state: 3,
      on: { DONE: 'testing', FAIL: 'failed' },
    },
    deploying: {
      allowed_tools: ['Bash'],
      allowed_commands: ['kubectl', 'helm'],
      on: {
        DONE: { target: 'complete', requires_approval: true, approval_message: 'Mark complete?' },
        FAIL: 'failed',
      },
    },
    complete: { type: 'final' },
    failed: { type: 'final' },
  },
  guards: {
    deploy_ready: { field: 'test_result', op: 'eq', value: 'pass' },
    tests_failed: { field: 'test_result', op: 'eq', value: 'fail' },
  },
} as const

export const walk: readonly { event: string; data?: { test_result: string } }[] = [
  { event: 'READY', data: { test_result: 'fail' } },
  { event: 'EVALUATE' },
  { event: 'DONE', data: { test_result: 'pass' } },
  { event: 'EVALUATE' },
  { event: 'DONE' },
]

export const walkEnd = 'complete'
