import { useEffect, useRef, useState } from 'react'
import { newestPage } from '../api/client/client.ts'
import { useFeedState } from '../ui/page/feed-state.ts'
import { isOtherPage, scriptOf } from './page-version.ts'

/**
 * Answers of a newer server may have fields that this page does not know. It never loads itself
 * again: what somebody is typing would be gone.
 */
export function NewerVersion() {
  const isOther = useIsOther()
  if (!isOther) return null
  return (
    <div className="note wait row" role="status">
      <span>A newer version of Statewright runs here. This page is from the one before.</span>
      <button type="button" className="button small" onClick={() => location.reload()}>
        Reload
      </button>
    </div>
  )
}

/** Asked whenever the server was away: another one may have come back. */
function useIsOther(): boolean {
  const feed = useFeedState()
  const wasLost = useRef(false)
  const [isOther, setOther] = useState(false)
  useEffect(() => {
    if (feed === 'lost') wasLost.current = true
    if (feed !== 'live' || !wasLost.current) return
    wasLost.current = false
    void newestPage().then((page) => {
      if (page !== undefined) setOther(isOtherPage(scriptOf(document.head.innerHTML), page))
    })
  }, [feed])
  return isOther
}
