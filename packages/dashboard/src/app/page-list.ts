import {
  Activity,
  Bot,
  CircleCheckBig,
  FlaskConical,
  LibraryBig,
  type LucideIcon,
  MessageCircleQuestionMark,
  NotebookPen,
  Play,
  Settings,
  ShieldCheck,
  Workflow,
} from 'lucide-react'

/** Every page a person can go to, in the order of the navigation. */
export interface PageLink {
  readonly to: PagePath
  readonly name: string
  readonly Icon: LucideIcon
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
  {
    to: '/',
    name: 'Approvals',
    Icon: CircleCheckBig,
    key: 'a',
    what: 'What waits for your decision',
  },
  { to: '/runs', name: 'Runs', Icon: Play, key: 'r', what: 'What agents do now and did before' },
  {
    to: '/workflows',
    name: 'Workflows',
    Icon: Workflow,
    key: 'w',
    what: 'The rules, with versions',
  },
  {
    to: '/processes',
    name: 'Processes',
    Icon: MessageCircleQuestionMark,
    key: 'p',
    what: 'Questions with answers',
  },
  { to: '/sessions', name: 'Sessions', Icon: Bot, key: 's', what: 'Agents that Statewright runs' },
  {
    to: '/policies',
    name: 'Policies',
    Icon: ShieldCheck,
    key: 'o',
    what: 'Rules, rates and budgets',
  },
  { to: '/activity', name: 'Activity', Icon: Activity, key: 't', what: 'Where agents get stuck' },
  {
    to: '/memory',
    name: 'Memory',
    Icon: NotebookPen,
    key: 'm',
    what: 'What agents remember, and tasks',
  },
  { to: '/settings', name: 'Settings', Icon: Settings, key: ',', what: 'Tokens, theme, mode' },
  {
    to: '/playground',
    name: 'Playground',
    Icon: FlaskConical,
    key: 'y',
    what: 'Try a workflow right here',
  },
]

/** The guide is a page of its own: it can be read without a login. */
export const guide = { href: '/docs', name: 'Docs', Icon: LibraryBig } as const
