import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueryClient } from '../api/client/query-client.ts'
import { ToastProvider } from '../ui/dialogs/toasts.tsx'
import { StepUpProvider } from '../ui/proof/step-up.tsx'
import { ClockProvider } from '../ui/values/when.tsx'
import { LiveProvider } from './live-provider.tsx'
import { router } from './router.tsx'

const client = createQueryClient()

export function App() {
  return (
    <QueryClientProvider client={client}>
      <LiveProvider>
        <ClockProvider>
          <ToastProvider>
            <StepUpProvider>
              <RouterProvider router={router} />
            </StepUpProvider>
          </ToastProvider>
        </ClockProvider>
      </LiveProvider>
    </QueryClientProvider>
  )
}
