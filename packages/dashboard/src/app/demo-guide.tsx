import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect } from 'react'
import { setDemoRun, useDemoRun } from '../ui/demo-state.ts'

/**
 * What to look at while the demo plays. It stays over all pages: the view with the button fills up
 * as soon as the demo does something, and a hint in it would be gone before it was read.
 */
export function DemoGuide() {
  const runId = useDemoRun()
  const navigate = useNavigate()
  // The page with the button would stay empty until the demo asks; in the run it happens at once.
  useEffect(() => {
    if (runId !== null) void navigate({ to: '/runs/$runId', params: { runId } })
  }, [runId, navigate])
  if (runId === null) return null
  return (
    <section className="demo-guide" aria-label="What to look at next">
      <p>
        <strong>The demo plays.</strong>{' '}
        <Link to="/runs/$runId" params={{ runId }}>
          Watch the run
        </Link>
        : it is denied an edit while planning (select the red line to see which rule spoke), makes a
        detour because it touches a migration, and splits into two branches. Then it waits for you
        under <Link to="/">Approvals</Link>; what it was denied is counted under{' '}
        <Link to="/activity">Activity</Link>.
      </p>
      <button type="button" className="button small" onClick={() => setDemoRun(null)}>
        Got it
      </button>
    </section>
  )
}
