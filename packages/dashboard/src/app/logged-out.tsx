import { useQuery } from '@tanstack/react-query'
import { loginQuery } from '../api/queries.ts'
import { EmptyState } from '../ui/empty-state.tsx'

/** Nobody is logged in here: people come by a link, or from the identity provider. */
export function LoggedOut() {
  const { data } = useQuery(loginQuery)
  if (data === undefined) return <main className="page" />
  return (
    <main className="page">
      {data.provider === null ? <ByLink /> : <ByProvider provider={data.provider} />}
    </main>
  )
}

/** Links come only from a person or the terminal of the server. */
function ByLink() {
  return (
    <EmptyState title="You are not logged in" command="statewright up">
      Open the login link that the server printed when it started. It works once, for ten minutes. A
      new one comes from starting the server again, or from the settings of a browser that is logged
      in.
    </EmptyState>
  )
}

/** A form and not a link: no page of others can begin a login here. */
function ByProvider({ provider }: { readonly provider: string }) {
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
    <EmptyState title="You are not logged in" action={button}>
      People of this server log in with {provider}.
    </EmptyState>
  )
}
