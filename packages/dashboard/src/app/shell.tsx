import type { Approval } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { Link, Outlet, useNavigate, useRouter, useRouterState } from '@tanstack/react-router'
import { Ellipsis, Keyboard, Search } from 'lucide-react'
import { lazy, Suspense, useEffect, useMemo, useState } from 'react'
import { problemOf } from '../api/client/problem.ts'
import { meQuery, waitingQuery } from '../api/resources/queries.ts'
import { inputGist } from '../model/sessions/session-lines.ts'
import { headlineOf } from '../model/words/call-arguments.ts'
import { plainText } from '../model/words/plain-text.ts'
import { useTour } from '../ui/demo/tour-state.ts'
import { type Notice, useNotices } from '../ui/dialogs/toasts.tsx'
import { useFeedState } from '../ui/page/feed-state.ts'
import { type Hotkeys, modKey, useHotkeys } from '../ui/page/hotkeys.ts'
import { WaitingCount } from '../ui/page/page.tsx'
import { LoggedOut } from './logged-out.tsx'
import { NewerVersion } from './newer-version.tsx'
import { PageBoundary } from './page-boundary.tsx'
import { guide, type PageLink, pages } from './page-list.ts'
import { takeRequestedPage } from './requested-page.ts'
import { TrustBar } from './trust-bar.tsx'
import './shell.css'

const Tour = lazy(async () => ({ default: (await import('./tour.tsx')).Tour }))
const KeysDialog = lazy(async () => ({ default: (await import('./keys-dialog.tsx')).KeysDialog }))
const Palette = lazy(async () => ({ default: (await import('./palette.tsx')).Palette }))

/** What surrounds every page: navigation, the trust bar, and the keys that work everywhere. */
export function Shell() {
  const me = useQuery(meQuery)
  const approvals = useQuery(waitingQuery).data
  const waiting = approvals?.length ?? 0
  useNotices(useApprovalNotices(approvals))
  const [open, setOpen] = useState<'palette' | 'keys' | null>(null)
  const goKeys = useGoKeys()
  const feed = useFeedState()
  // The page of a new address is drawn a moment after the address has changed.
  const address = useRouterState({
    select: ({ location, resolvedLocation }) =>
      `${location.pathname} ${resolvedLocation?.pathname ?? ''}`,
  })
  useHotkeys({
    ...goKeys,
    'mod+k': () => setOpen((now) => (now === 'palette' ? null : 'palette')),
    '?': () => setOpen('keys'),
  })
  useRequestedPage(me.data !== undefined)
  if (me.error !== null && problemOf(me.error).status === 401)
    return <LoggedOut isExpired={me.data !== undefined} />
  return (
    <WaitingCount.Provider value={waiting}>
      <div className="shell">
        <a className="skip" href="#main">
          Skip to the page
        </a>
        <Navigation waiting={waiting} onOpen={setOpen} />
        <div className="content">
          <div>
            <TrustBar />
            <NewerVersion />
            <TourOfDemo />
          </div>
          <main id="main" tabIndex={-1}>
            <PageBoundary address={address} feed={feed}>
              <Suspense fallback={<p className="page soft">Loading…</p>}>
                <Outlet />
              </Suspense>
            </PageBoundary>
          </main>
        </div>
      </div>
      <Suspense fallback={null}>
        {open === 'palette' ? (
          <Palette onClose={() => setOpen(null)} onKeys={() => setOpen('keys')} />
        ) : null}
        {open === 'keys' ? <KeysDialog onClose={() => setOpen(null)} /> : null}
      </Suspense>
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

function Navigation(props: {
  readonly waiting: number
  readonly onOpen: (what: 'palette' | 'keys') => void
}) {
  const { waiting, onOpen } = props
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
      <button type="button" className="button quiet search" onClick={() => onOpen('palette')}>
        <Search aria-hidden="true" className="icon" />
        <span className="search-word">Search</span>
        <kbd>{modKey()} K</kbd>
      </button>
      <ul id="pages">
        {pages.map((page) => (
          <PageItem key={page.to} page={page} waiting={page.to === '/' ? waiting : 0} />
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
      <button type="button" className="button quiet nav-keys" onClick={() => onOpen('keys')}>
        <Keyboard aria-hidden="true" className="nav-mark" />
        Shortcuts <kbd>?</kbd>
      </button>
    </nav>
  )
}

function PageItem(props: { readonly page: PageLink; readonly waiting: number }) {
  const { to, name, Icon } = props.page
  return (
    <li className={atHand.has(to) ? undefined : 'is-further'}>
      <Link
        to={to}
        className="nav-link"
        activeProps={{ className: 'is-active', 'aria-current': 'page' }}
        activeOptions={{ exact: to === '/', includeSearch: false }}
      >
        <Icon aria-hidden="true" className="nav-mark" />
        <span>{name}</span>
        {props.waiting === 0 ? null : (
          <span className="nav-count">
            {props.waiting}
            <span className="visually-hidden"> waiting</span>
          </span>
        )}
      </Link>
    </li>
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
          title: plainText(`Waiting for you: ${headlineOf(approval)}`, 120),
          text: plainText(inputGist(approval.input) || message, 200),
          onOpen: () => void navigate({ to: '/', search: { approval: id } }),
        }
      }),
    [approvals, navigate],
  )
}

/** Who had to log in first goes on where they wanted to; a link leads to the first page. */
function useRequestedPage(isLoggedIn: boolean): void {
  const { history } = useRouter()
  useEffect(() => {
    // A tab that is on its page already must not take it from the one that the link opened in.
    if (!isLoggedIn || history.location.href !== '/') return
    const path = takeRequestedPage(Date.now())
    if (path !== '/') history.replace(path)
  }, [isLoggedIn, history])
}

/** `g` and then a letter goes to a page. */
function useGoKeys(): Hotkeys {
  const navigate = useNavigate()
  return Object.fromEntries(pages.map(({ key, to }) => [`g ${key}`, () => void navigate({ to })]))
}
