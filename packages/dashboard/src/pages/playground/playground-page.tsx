import { useEffect, useRef } from 'react'
import { Page } from '../../ui/page.tsx'
import { drawPlayground } from '../../view/playground.ts'
import '../../view/playground.css'

/** Write a workflow, send events and try calls; nothing is stored or sent. */
export function PlaygroundPage() {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const { current } = place
    if (current === null) return undefined
    drawPlayground(current, () => Date.now())
    return () => current.replaceChildren()
  }, [])
  return (
    <Page
      title="Playground"
      subtitle="Write a workflow, send events, try tool calls. Nothing is stored or sent."
    >
      <div ref={place} className="playground" />
    </Page>
  )
}
