import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from 'react'
import { count } from '../../model/words/words.ts'
import { Mark } from './mark.tsx'

/** Less than this is the rounding of the browser, not a line that nobody has seen. */
const slackPx = 2

/**
 * Holds what somebody decides on. It is all there, and where it does not fit into the box a line
 * beneath says how much is still out of sight: nothing is cut off without a sign.
 */
export function WholeBox(props: {
  readonly label: string
  readonly children: ReactNode
  /** Told once the end has been in sight. */
  readonly onRead?: (() => void) | undefined
  /** For anyone who scrolls it. */
  readonly box?: RefObject<HTMLElement | null> | undefined
}) {
  const { label, children, onRead } = props
  const own = useRef<HTMLElement>(null)
  const box = props.box ?? own
  const reported = useRef(onRead)
  reported.current = onRead
  const [linesBelow, setLinesBelow] = useState(0)
  const look = () => {
    const element = box.current
    if (element === null) return
    const below = element.scrollHeight - element.scrollTop - element.clientHeight
    const lineHeight = Number.parseFloat(getComputedStyle(element).lineHeight) || 20
    setLinesBelow(below > slackPx ? Math.ceil(below / lineHeight) : 0)
    if (below <= slackPx) reported.current?.()
  }
  // biome-ignore lint/correctness/useExhaustiveDependencies: it looks at what was drawn just now.
  useLayoutEffect(() => {
    const element = box.current
    if (element === null) return
    look()
    const watch = new ResizeObserver(look)
    watch.observe(element)
    for (const child of element.children) watch.observe(child)
    return () => watch.disconnect()
  }, [children])
  return (
    <div className="whole">
      <section
        ref={box}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable.
        tabIndex={0}
        className="block"
        onScroll={look}
      >
        {children}
      </section>
      {linesBelow === 0 ? null : (
        <p className="whole-more small-text" role="status">
          <Mark name="below" /> {count(linesBelow, 'more line')} below: scroll to read all of it
        </p>
      )}
    </div>
  )
}
