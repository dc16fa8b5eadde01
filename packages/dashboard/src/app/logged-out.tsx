import { EmptyState } from '../ui/empty-state.tsx'

/** Nobody is logged in here. Links come only from a person or the terminal of the server. */
export function LoggedOut() {
  return (
    <main className="page">
      <EmptyState title="You are not logged in" command="statewright up">
        Open the login link that the server printed when it started. It works once, for ten minutes.
        A new one comes from starting the server again, or from the settings of a browser that is
        logged in.
      </EmptyState>
    </main>
  )
}
