import { Component, type ReactNode } from 'react'
import { problemOf } from '../api/client/problem.ts'
import type { FeedState } from '../api/feed/feed.ts'
import { ProblemNote } from '../ui/page/problem-note.tsx'

interface Props {
  /** Another address is another page, which has not broken. */
  readonly address: string
  /** Whether the server can be heard. */
  readonly feed: FeedState
  readonly children: ReactNode
}

interface Caught {
  readonly fault: unknown
}

/**
 * Keeps the navigation alive when a page breaks. React offers this only as a class; it owns the
 * area of the page below it.
 */
export class PageBoundary extends Component<Props, Caught> {
  override state: Caught = { fault: undefined }

  static getDerivedStateFromError(fault: unknown): Caught {
    return { fault }
  }

  override componentDidUpdate(before: Props): void {
    const { fault } = this.state
    if (fault === undefined) return
    const { address, feed } = this.props
    // A server that is heard for the first time was not away: the file would be missing again, and
    // the page would be loaded for ever.
    const isBack = feed === 'live' && before.feed === 'lost'
    if (before.address !== address) this.setState({ fault: undefined })
    // A file that could not be loaded while the server was away, or that a newer version replaced.
    else if (isBack && isMissingFile(fault)) location.reload()
  }

  override render(): ReactNode {
    const { fault } = this.state
    if (fault === undefined) return this.props.children
    const isMissing = isMissingFile(fault)
    return (
      <div className="page stack">
        <h1>{isMissing ? 'This page could not be loaded' : 'Something went wrong on this page'}</h1>
        <ProblemNote problem={isMissing ? missing : problemOf(fault)} />
        <div className="row">
          <button
            type="button"
            className="button primary"
            // The browser remembers that the file was missing, until the page is loaded again.
            onClick={() => (isMissing ? location.reload() : this.setState({ fault: undefined }))}
          >
            Try again
          </button>
          <a className="button" href="/">
            Go to approvals
          </a>
        </div>
      </div>
    )
  }
}

const missing = {
  code: 'unreachable',
  message: 'A file of this page could not be loaded: the server is down, or was updated.',
  next: 'try again; the page loads by itself once the server is back.',
}

/** What browsers and the bundler say when a part of the page cannot be fetched. */
function isMissingFile(fault: unknown): boolean {
  const words = fault instanceof Error ? fault.message : ''
  return /dynamically imported module|module script failed|preload CSS/i.test(words)
}
