import { Component, type ReactNode } from 'react'
import { problemOf } from '../api/problem.ts'
import { ProblemNote } from '../ui/problem-note.tsx'

interface Caught {
  readonly fault: unknown
}

/**
 * Keeps the navigation alive when a page breaks. React offers this only as a class; it owns the
 * place in the page below it.
 */
export class PageBoundary extends Component<{ readonly children: ReactNode }, Caught> {
  override state: Caught = { fault: undefined }

  static getDerivedStateFromError(fault: unknown): Caught {
    return { fault }
  }

  override render(): ReactNode {
    const { fault } = this.state
    if (fault === undefined) return this.props.children
    return (
      <div className="page stack">
        <h1>This page has broken</h1>
        <ProblemNote problem={problemOf(fault)} />
        <div className="row">
          <button
            type="button"
            className="button primary"
            onClick={() => this.setState({ fault: undefined })}
          >
            Try again
          </button>
          <a className="button" href="/">
            To the approvals
          </a>
        </div>
      </div>
    )
  }
}
