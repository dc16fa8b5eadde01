import type { Passage } from './doc-index.ts'

/** The short guide for agents: how to work under a state machine, and how to write one. */
export const agentPassages: readonly Passage[] = [
  {
    title: 'guide working in a state',
    text:
      'A run is in one state. The state lists the tools that may be used ' +
      '(allowed_tools; left out means any). A call outside the list is denied and the ' +
      'denial says how to go on. Call statewright_get_state to see the state, its events ' +
      'and what they need.',
  },
  {
    title: 'guide transition and guards',
    text:
      'Call statewright_transition with an event of the state. Guards read the context ' +
      'from before the transition; data given with the event is merged once it is ' +
      'accepted. A refusal lists the guards that failed and what they want.',
  },
  {
    title: 'guide approval',
    text:
      'Some events and calls wait for a person. The answer then has status ' +
      'pending_approval or the code approval_required with an approval_id. The ' +
      'current tools stay available; make the same call again after the approval. An agent ' +
      'cannot approve.',
  },
  {
    title: 'guide interrupts',
    text:
      'An interrupt sends the run into a handler state when a file matching its pattern ' +
      'is changed. Do what the state asks, then send the event whose target is $return ' +
      'to go back.',
  },
  {
    title: 'guide fork and branches',
    text:
      'A fork runs branches beside each other. A sub-agent binds itself to one with ' +
      'statewright_load_workflow and branch; it finishes with BRANCH_DONE:name. Without ' +
      'binding the branches are worked one after the other, in the order written.',
  },
  {
    title: 'guide evidence',
    text:
      'A guard on evidence passes only when the engine itself saw the command end as ' +
      'wanted and no file it depends on changed since. Run exactly the command that the ' +
      'brief names, alone: lists, pipes and background prove nothing.',
  },
  {
    title: 'guide writing a workflow',
    text:
      'A workflow has id, initial and states. A state has allowed_tools, instructions, ' +
      'limits (max_iterations, max_files_per_state, max_edit_lines, ' +
      'context_budget_bytes) and on, which maps events to targets with guards or ' +
      'requires_approval. At least one state has type final. Check it with ' +
      'statewright_validate_workflow before saving it.',
  },
  {
    title: 'guide locked runs',
    text:
      'A run that a person or the configuration started is locked: pausing, stopping, ' +
      'forcing it or loading another workflow needs a person.',
  },
]
