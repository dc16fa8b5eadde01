import type { PlacedEntry } from '../history/recorded-run.ts'

/** What the tour points at. */
export type TourTarget = 'diagram' | 'entry' | 'question'

/** A stop of the tour through the demo: what to look at, and why it matters. */
export interface TourChapter {
  readonly title: string
  readonly text: string
  readonly target: TourTarget
  /** The entry at which it is seen; undefined while the demo has not come to it. */
  readonly at: number | undefined
  /** Whether the newest is shown, not the moment of the entry. */
  readonly isLive: boolean
}

/** How many stops there are, the one that leads to a project of one's own aside. */
export const chapterCount = 6
/** The one in which the person decides. */
export const decisionChapter = 5

/** The stops, with what has happened so far. */
export function tourChapters(entries: readonly PlacedEntry[]): readonly TourChapter[] {
  return [
    {
      title: 'The rules, as a picture',
      text:
        'A scripted agent fixes a bug. Each box is a phase with the tools that may be used in ' +
        'it; the violet box is where the agent is now. It can only move along the arrows.',
      target: 'diagram',
      at: entries[0]?.seq,
      isLive: true,
    },
    ...momentsOf(entries),
    {
      title: 'Now it is your turn',
      text: 'Only a person can decide to ship. Read what the agent asks, then approve or reject.',
      target: 'question',
      at: entries.find((entry) => entry.type === 'approval_opened')?.seq,
      isLive: true,
    },
  ]
}

/** What is seen by going back to it. */
function momentsOf(entries: readonly PlacedEntry[]): readonly TourChapter[] {
  const denied = entries.filter(isCall).find(isDenied)
  const interrupted = entries.find((entry) => entry.type === 'interrupted')
  const forked = entries.find((entry) => entry.type === 'forked')
  const claimed = entries.find((entry) => entry.type === 'refused')
  return [
    {
      title: 'A call that was denied',
      text:
        `The agent wanted to use ${denied?.tool ?? 'Edit'} while it was planning. The phase ` +
        'does not allow that, so the call never ran. The rule that denied it is shown ' +
        'below; the agent was told what it may do instead.',
      target: 'entry',
      at: denied?.seq,
      isLive: false,
    },
    {
      title: 'A detour that nobody has to remember',
      text:
        `It changed ${interrupted?.file ?? 'a migration'}. The workflow sends every change of a ` +
        'migration through a review: the run left its phase at once, and came back after it.',
      target: 'diagram',
      at: interrupted?.seq,
      isLive: false,
    },
    {
      title: 'Two branches at once',
      text:
        `${forked?.branches.join(' and ') ?? 'Two branches'} run side by side, each with tools ` +
        'of its own. The run continues when both are done.',
      target: 'diagram',
      at: forked?.seq,
      isLive: false,
    },
    {
      title: 'A claim is not evidence',
      text:
        'The agent claimed that the tests pass. They had not run, so its event was refused. ' +
        'After it ran them, the same event was accepted.',
      target: 'entry',
      at: claimed?.seq,
      isLive: false,
    },
  ]
}

/** What the person decided; undefined while it waits. */
export function tourVerdict(entries: readonly PlacedEntry[]): string | undefined {
  const resolved = entries.findLast((entry) => entry.type === 'approval_resolved')
  return resolved?.verdict
}

type Decided = Extract<PlacedEntry, { type: 'call_decided' }>

function isCall(entry: PlacedEntry): entry is Decided {
  return entry.type === 'call_decided'
}

function isDenied({ decision, would }: Decided): boolean {
  return decision === 'deny' || would === 'deny'
}
