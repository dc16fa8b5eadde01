import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouterState } from '@tanstack/react-router'
import { Ellipsis, Search } from 'lucide-react'
import { lazy, Suspense, useMemo, useState } from 'react'
import { problemOf } from '../api/problem.ts'
import { approvalsQuery, meQuery } from '../api/queries.ts'
import { headlineOf } from '../model/call-arguments.ts'
import { plainText } from '../model/plain-text.ts'
import { inputGist } from '../model/session-lines.ts'
import { type Hotkeys, useHotkeys } from '../ui/hotkeys.ts'
import { WaitingCount } from '../ui/page.tsx'
import { type Notice, useNotices } from '../ui/toasts.tsx'
import { useTour } from '../ui/tour-state.ts'
import { useFeedState } from './live-provider.tsx'
import { LoggedOut } from './logged-out.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { guide, pages } from './page-list.ts'
import { TrustBar } from './trust-bar.tsx'
import './shell.css'

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** What surrounds every page: navigation, the trust bar, and the keys that work everywhere. */
export function Shell() {
  const me = useQuery(meQuery)
  const approvals = useQuery(approvalsQuery('waiting')).data
  const waiting = approvals?.length ?? 0
  useNotices(useApprovalNotices(approvals))
  const [isPaletteOpen, setPaletteOpen] = useState(false)
  const goKeys = useGoKeys()
  const isLive = useFeedState() === 'live'
  // The page of a new address is drawn a moment after the address has changed.
  const address = useRouterState({
    select: ({ location, resolvedLocation }) =>
      `${location.pathname} ${resolvedLocation?.pathname ?? ''}`,
  })
  useHotkeys({ ...goKeys, 'mod+k': () => setPaletteOpen((open) => !open) })
  if (me.error !== null && problemOf(me.error).status === 401)
    return <LoggedOut isExpired={me.data !== undefined} />
  return (
    <WaitingCount.Provider value={waiting}>
      <div className="shell">
        <a className="skip" href="#main">
          Skip to the page
        </a>
        <Navigation waiting={waiting} onSearch={() => setPaletteOpen(true)} />
        <div className="content">
          <div>
            <TrustBar />
            <TourOfDemo />
          </div>
          <main id="main" tabIndex={-1}>
            <PageBoundary address={address} isLive={isLive}>
              <Suspense fallback={<p className="page soft">Loading…</p>}>
                <Outlet />
              </Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
      {isPaletteOpen ? (
        <Suspense fallback={null}>
          <Palette onClose={() => setPaletteOpen(false)} />
        </Suspense>
      ) : null}
    </WaitingCount.Provider>
  )
}

function TourOfDemo() {
  const tour = useTour()
  return tour === null ? null : (
    <Suspense fallback={null}>
      <Tour {...tour} />
    </Suspense>
  )
}

/** On a phone these stand in the bar below; the others are one touch further. */
const atHand: ReadonlySet<string> = new Set(['/', '/runs', '/workflows', '/sessions'])

function Navigation(props: { readonly waiting: number; readonly onSearch: () => void }) {
  const { waiting, onSearch } = props
  const [openAt, setOpenAt] = useState('')
  const here = useRouterState({ select: ({ location }) => location.pathname })
  const isFurther = pages.some(({ to }) => !atHand.has(to) && here.startsWith(to))
  // Opened on one page, it is closed on the next.
  const isOpen = openAt === here
  return (
    <nav className={isOpen ? 'side is-open' : 'side'} aria-label="Pages">
      <Link to="/" className="brand">
        <span aria-hidden="true" className="brand-mark" />
        Statewright
      </Link>
      <button type="button" className="button quiet search" onClick={onSearch}>
        <Search aria-hidden="true" className="icon" />
        <span className="search-word">Search</span>
        <kbd>{isMac() ? '⌘' : 'Ctrl'} K</kbd>
      </button>
      <ul id="pages">
        {pages.map(({ to, name, Icon }) => (
          <li key={to} className={atHand.has(to) ? undefined : 'is-further'}>
            <Link
              to={to}
              className="nav-link"
              activeProps={{ className: 'is-active', 'aria-current': 'page' }}
              activeOptions={{ exact: to === '/' }}
            >
              <Icon aria-hidden="true" className="nav-mark" />
              <span>{name}</span>
              {to === '/' && waiting > 0 ? (
                <span className="nav-count">
                  {waiting}
                  <span className="visually-hidden"> waiting</span>
                </span>
              ) : null}
            </Link>
          </li>
        ))}
        <li className="is-further">
          <a href={guide.href} className="nav-link">
            <guide.Icon aria-hidden="true" className="nav-mark" />
            <span>{guide.name}</span>
          </a>
        </li>
      </ul>
      <button
        type="button"
        className={isFurther ? 'nav-link nav-more is-active' : 'nav-link nav-more'}
        aria-expanded={isOpen}
        aria-controls="pages"
        onClick={() => setOpenAt(isOpen ? '' : here)}
      >
        <Ellipsis aria-hidden="true" className="nav-mark" />
        <span>More</span>
      </button>
    </nav>
  )
}

/** What waits, as the browser tells it: what is asked, of what, and where it is answered. */
function useApprovalNotices(approvals: readonly Approval[] | undefined) {
  const navigate = useNavigate()
  return useMemo(
    () =>
      approvals?.map((approval): Notice => {
        const { approval_id: id, message } = approval
        return {
          id,
          title: plainText(`Waits for you: ${headlineOf(approval)}`, 120),
          text: plainText(inputGist(approval.input) || message, 200),
          onOpen: () => void navigate({ to: '/', search: { approval: id } }),
        }
      }),
    [approvals, navigate],
  )
}

/** `g` and then a letter goes to a page. */
function useGoKeys(): Hotkeys {
  const navigate = useNavigate()
  return Object.fromEntries(pages.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })]))
}

function isMac(): boolean {
  return navigator.platform.startsWith('Mac')
}
