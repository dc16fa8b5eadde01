/** Every page a person can go to, in the order of the navigation. */
export interface PageLink {
  readonly to: PagePath
  readonly name: string
  readonly mark: string
  /** After `g`, as in "go to". */
  readonly key: string
  readonly what: string
}

export type PagePath =
  | '/'
  | '/runs'
  | '/workflows'
  | '/processes'
  | '/sessions'
  | '/policies'
  | '/activity'
  | '/memory'
  | '/settings'
  | '/playground'

export const pages: readonly PageLink[] = [
  { to: '/', name: 'Approvals', mark: '✓', key: 'a', what: 'What waits for your decision' },
  { to: '/runs', name: 'Runs', mark: '▶', key: 'r', what: 'What agents do now and did before' },
  { to: '/workflows', name: 'Workflows', mark: '◇', key: 'w', what: 'The rules, with versions' },
  { to: '/processes', name: 'Processes', mark: '?', key: 'p', what: 'Questions with answers' },
  { to: '/sessions', name: 'Sessions', mark: '✎', key: 's', what: 'Agents that we start' },
  { to: '/policies', name: 'Policies', mark: '§', key: 'o', what: 'Rules, rates and budgets' },
  { to: '/activity', name: 'Activity', mark: '≋', key: 't', what: 'Where agents get stuck' },
  { to: '/memory', name: 'Memory', mark: '✦', key: 'm', what: 'What projects keep, and tasks' },
  { to: '/settings', name: 'Settings', mark: '⚙', key: ',', what: 'Tokens, theme, mode' },
  { to: '/playground', name: 'Playground', mark: '⚗', key: 'y', what: 'Try a workflow right here' },
]
