import type { RefObject } from 'react'

type Frame = RefObject<HTMLElement | null>

/** The state that has the keyboard. */
export function nodeOf(target: EventTarget): string | undefined {
  if (!(target instanceof Element)) return undefined
  return target.closest('.react-flow__node')?.getAttribute('data-id') ?? undefined
}

/** The state before or behind another one, in the order of the text. */
export function neighbourOf(frame: Frame, state: string, by: 1 | -1): string | undefined {
  const names = [...nodesIn(frame)].map((node) => node.getAttribute('data-id') ?? '')
  const at = names.indexOf(state)
  return at === -1 ? undefined : names[(at + by + names.length) % names.length]
}

const patienceMs = 3000
const lookMs = 50

/**
 * Gives the keyboard to a state, as soon as it is drawn: a new one waits for its layout. Anyone who
 * has gone elsewhere meanwhile stays there.
 */
export function focusState(frame: Frame, state: string | undefined): void {
  const until = Date.now() + patienceMs
  const from = document.activeElement
  const look = () => {
    const node = [...nodesIn(frame)].find((one) => one.getAttribute('data-id') === state)
    const now = document.activeElement
    if (now !== from && now !== document.body) return
    // The page stays where it is: anyone who draws with a pointer would miss what they aim at.
    if (node instanceof HTMLElement) node.focus({ preventScroll: true })
    else if (Date.now() < until) setTimeout(look, lookMs)
  }
  look()
}

function nodesIn(frame: Frame): Iterable<Element> {
  return frame.current?.querySelectorAll('.react-flow__node') ?? []
}
