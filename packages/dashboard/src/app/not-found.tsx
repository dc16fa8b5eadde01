import { EmptyState } from '../ui/page/empty-state.tsx'
import { Page } from '../ui/page/page.tsx'

export function NotFound() {
  return (
    <Page title="Page not found">
      <EmptyState title="There is no page at this address">
        Choose a page in the navigation, or press Ctrl K to search.
      </EmptyState>
    </Page>
  )
}
