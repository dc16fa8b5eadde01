import { EmptyState } from '../ui/empty-state.tsx'
import { Page } from '../ui/page.tsx'

export function NotFound() {
  return (
    <Page title="Nothing here">
      <EmptyState title="There is no page at this address">
        Take one from the navigation, or press Ctrl K and type what you look for.
      </EmptyState>
    </Page>
  )
}
