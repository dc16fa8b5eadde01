import { EmptyState } from '../../ui/empty-state.tsx'
import { Page } from '../../ui/page.tsx'

export function SessionsPage() {
  return (
    <Page title="Sessions">
      <EmptyState title="No session yet" command="statewright session start">
        A session is an agent that Statewright starts and guards itself.
      </EmptyState>
    </Page>
  )
}
