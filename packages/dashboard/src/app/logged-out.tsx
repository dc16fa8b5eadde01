import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '../api/queries.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** Nobody is logged in here: people come by a link, or from the identity provider. */
export function LoggedOut({ isExpired }: { readonly isExpired: boolean }) {
  const { data } = useQuery(loginQuery)
  if (data === undefined) return <main className="page" />
  const title = isExpired ? 'Your login has expired' : 'You are not logged in'
  return (
    <main className="page logged-out">
      <p className="brand">
        <span aria-hidden="true" className="brand-mark" />
        Statewright
      </p>
      {data.provider === null ? (
        <ByLink title={title} />
      ) : (
        <ByProvider title={title} provider={data.provider} />
      )}
    </main>
  )
}

/** Links come only from a person or the terminal of the server. */
function ByLink({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title} command="statewright up">
      Open a login link: the server prints one when it starts, and Settings makes one in a browser
      that is logged in. A link works once, for ten minutes. This page stays as it is; reload it
      after you have logged in.
    </EmptyState>
  )
}

/** A form and not a link: no page of others can begin a login here. */
function ByProvider(props: { readonly title: string; readonly provider: string }) {
  const { title, provider } = props
  const { pathname, search, hash } = location
  const button = (
    <form method="post" action="/oidc/login">
      <input type="hidden" name="back" value={pathname + search + hash} />
      <button type="submit" className="button primary">
        Log in with {provider}
      </button>
    </form>
  )
  return (
    <EmptyState title={title} action={button}>
      People of this server log in with {provider}.
    </EmptyState>
  )
}
