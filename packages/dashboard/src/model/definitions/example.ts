/** What a newcomer finds in the editor: small, and with something to be refused. */
export const example = `# Fix a bug in small, checked steps.
id: bugfix
initial: planning
context:
  cause: null
states:
  planning:
    allowed_tools: [Read, Grep, Glob]
    instructions: Find the cause. Do not change files yet.
    max_iterations: 10
    on:
      FOUND: fixing
      GIVE_UP: failed
  fixing:
    allowed_tools: [Read, Edit]
    instructions: Fix the cause with as little change as possible.
    max_edit_lines: 20
    max_files_per_state: 3
    on:
      FIXED:
        target: testing
        guard: cause_known
  testing:
    allowed_tools: [Read, Bash]
    allowed_commands: [npm test]
    on:
      PASSED: { target: done, guard: tests_ran }
      FAILED: fixing
  migrating:
    allowed_tools: [Bash]
    allowed_commands: [npm run migrate]
    on:
      CHECKED: $return
      BROKEN: failed
  done: { type: final }
  failed: { type: final }
guards:
  cause_known: { field: cause, op: exists }
  tests_ran: { evidence: tests }
evidence:
  tests: { tool: Bash, command: npm test, stale_after: ["**"] }
interrupts:
  migration:
    trigger: { file_pattern: "db/**/*.sql" }
    target: migrating
`

/** The least that is a workflow. */
export const emptyWorkflow = `id: my-workflow
initial: working
states:
  working:
    allowed_tools: [Read]
    instructions: Say here what the agent should do.
    on:
      DONE: done
  done: { type: final }
meta:
  description: What it is for.
`

/** The least that is a process. */
export const emptyProcess = `name: my-process
initial: first
states:
  first:
    question: Is everything ready?
    answers:
      "yes": { next: null, action: complete }
      "no": { next: first, action: warn }
`
