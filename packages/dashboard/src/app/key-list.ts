import { modKey } from '../ui/page/hotkeys.ts'
import { pages } from './page-list.ts'

/** One line of the help on keys. */
export interface KeyLine {
  /** Ways to the same thing, each the keys that are pressed one after the other. */
  readonly keys: readonly (readonly string[])[]
  readonly does: string
}

export interface KeyGroup {
  readonly title: string
  readonly lines: readonly KeyLine[]
}

const mod = modKey()

/** Every key of the dashboard, by where it works. */
export const keyGroups: readonly KeyGroup[] = [
  group('Everywhere', {
    'Search, or run a command': [`${mod}+K`],
    'This list': ['?'],
    'Close a dialog': ['Esc'],
  }),
  group('Go to', Object.fromEntries(pages.map(({ name, key }) => [name, [`g ${key}`]]))),
  group('Approvals', {
    'Next, previous question': ['j', 'k'],
    'Approve; Enter confirms': ['a'],
    'Reject with a reason': ['r'],
    'Allow from now on': ['l'],
  }),
  group('Runs', {
    'Next, previous run': ['j', 'k'],
    'Open the run': ['Enter'],
    Search: ['/'],
  }),
  group('A run', {
    'Next, previous entry': ['j', 'k'],
    'First entry': ['Home'],
    'Back to now': ['End', 'Esc'],
  }),
  group('Editor', {
    Save: [`${mod}+S`],
    'Undo, in text and diagram': [`${mod}+Z`],
    Suggestions: ['Ctrl+Space'],
    'Leave the text': ['Esc Tab'],
  }),
  group('Diagram in the editor', {
    'From state to state': ['↑', '↓', '←', '→'],
    'Select the state': ['Enter'],
    'Add a state': ['a'],
    'Rename it': ['F2'],
    'Connect it, Enter on another': ['c'],
    'Delete it': ['Delete'],
  }),
]

function group(title: string, keys: Readonly<Record<string, readonly string[]>>): KeyGroup {
  const lines = Object.entries(keys).map(([does, ways]) => ({
    does,
    keys: ways.map((way) => way.split(' ')),
  }))
  return { title, lines }
}
