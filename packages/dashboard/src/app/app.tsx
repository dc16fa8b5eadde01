import { QueryClientProvider } from '@tanstack/react-query'
import { RouterProvider } from '@tanstack/react-router'
import { createQueryClient } from '../api/query-client.ts'
import { StepUpProvider } from '../ui/step-up.tsx'
import { ToastProvider } from '../ui/toasts.tsx'
import { ClockProvider } from '../ui/when.tsx'
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
