import { endpoints } from '@statewright/core/wire'
import { useQuery } from '@tanstack/react-query'
import { type FormEvent, useEffect, useState } from 'react'
import { call } from '../api/client/client.ts'
import { loginQuery } from '../api/resources/queries.ts'
import { EmptyState } from '../ui/page/empty-state.tsx'
import { loginPath, storeRequestedPage } from './requested-page.ts'

/** Nobody is logged in here: people come by a link, or from the identity provider. */
export function LoggedOut({ isExpired }: { readonly isExpired: boolean }) {
  const { data } = useQuery(loginQuery)
  useReturn()
  if (data === undefined) return <main className="page" />
  const title = isExpired ? 'Your login has expired' : 'You are not logged in'
  return (
    <main className="page logged-out">
      <h1 className="brand">
        <span aria-hidden="true" className="brand-mark" />
        Statewright
      </h1>
      {data.provider === null ? (
        <ByLink title={title} />
      ) : (
        <ByProvider title={title} provider={data.provider} />
      )}
    </main>
  )
}

function addressHere(): string {
  const { pathname, search, hash } = location
  return pathname + search + hash
}

/** Whoever logs in goes on where they wanted to: in another tab, and here when they come back. */
function useReturn(): void {
  useEffect(() => {
    storeRequestedPage(addressHere(), Date.now())
    const leaving = new AbortController()
    const look = () => {
      // Who is still nobody is told so; there is nothing to do.
      void call(endpoints.getMe).then(
        () => location.reload(),
        () => undefined,
      )
    }
    addEventListener('focus', look, { signal: leaving.signal })
    return () => leaving.abort()
  }, [])
}

/** Links come only from a person or the terminal of the server. */
function ByLink({ title }: { readonly title: string }) {
  return (
    <EmptyState title={title} command="statewright up" action={<PasteLink />}>
      Open a login link: the server prints one when it starts, and Settings makes one in a browser
      that is logged in. A link works once, for ten minutes. Afterwards you are back on this page.
    </EmptyState>
  )
}

function PasteLink() {
  const [text, setText] = useState('')
  const path = loginPath(text)
  const isWrong = text.trim() !== '' && path === undefined
  const open = (event: FormEvent) => {
    event.preventDefault()
    if (path !== undefined) location.assign(path)
  }
  return (
    <form className="paste-link" onSubmit={open}>
      <label className="field">
        <span>Login link</span>
        <input
          value={text}
          autoComplete="off"
          placeholder={`${location.origin}/login/…`}
          onChange={(event) => setText(event.target.value)}
        />
        {isWrong ? <span className="bad small-text">This is not a login link.</span> : null}
      </label>
      <button type="submit" className="button primary" disabled={path === undefined}>
        Log in
      </button>
    </form>
  )
}

/** A form and not a link: no page of others can begin a login here. */
function ByProvider(props: { readonly title: string; readonly provider: string }) {
  const { title, provider } = props
  const button = (
    <form method="post" action="/oidc/login">
      <input type="hidden" name="back" value={addressHere()} />
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
