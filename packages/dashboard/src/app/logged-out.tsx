import { EmptyState } from '../ui/empty-state.tsx'

/** Nobody is logged in here. Links come only from a person or the terminal of the server. */
export function LoggedOut() {
  return (
    <main className="page">
      <EmptyState title="You are not logged in" command="statewright up">
        Open the login link that the server printed when it started. It works once, for ten minutes;
        start the server again for a new one. The playground at /playground needs no login.
      </EmptyState>
    </main>
  )
}
