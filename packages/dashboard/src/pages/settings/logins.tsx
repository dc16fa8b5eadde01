import { endpoints } from '@statewright/core/wire'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../api/client/client.ts'
import { type ApiProblem, problemOf } from '../../api/client/problem.ts'
import { CommandLine } from '../../ui/page/command-line.tsx'
import { ProblemNote } from '../../ui/page/problem-note.tsx'

/** Links for other browsers, such as a phone, and the way out. */
export function Logins({ provider }: { readonly provider: string | undefined }) {
  const [link, setLink] = useState<string | null>(null)
  const [person, setPerson] = useState('')
  const [problem, setProblem] = useState<ApiProblem | null>(null)
  const client = useQueryClient()
  const attempt = async (act: () => Promise<void>) => {
    try {
      await act()
    } catch (fault) {
      setProblem(problemOf(fault))
    }
  }
  const makeLink = async () => {
    const whose = person.trim() === '' ? {} : { person: person.trim() }
    const { url } = await call(endpoints.createLoginLink, { body: whose })
    setProblem(null)
    setLink(url)
  }
  const logOut = async () => {
    await call(endpoints.logOut, { body: {} })
    client.clear()
    location.assign('/')
  }
  return (
    <section className="panel">
      <header>
        <h2>Logins</h2>
      </header>
      <div className="body stack narrow-fields">
        {provider === undefined ? (
          <label className="field">
            <span>For somebody else</span>
            <input
              value={person}
              maxLength={100}
              placeholder="their name; leave it empty for another device of yours"
              onChange={(event) => setPerson(event.target.value)}
            />
          </label>
        ) : (
          <p className="soft">People log in with {provider} in each browser.</p>
        )}
        <div className="row">
          {provider === undefined ? (
            <button type="button" className="button" onClick={() => void attempt(makeLink)}>
              Sign in on another device
            </button>
          ) : null}
          <button type="button" className="button danger" onClick={() => void attempt(logOut)}>
            Log out here
          </button>
        </div>
        {link === null ? null : (
          <p className="stack">
            <span className="soft">
              It works once, for ten minutes. Whoever opens it chooses a passkey or a PIN there.
            </span>
            <CommandLine text={link} />
          </p>
        )}
        {problem === null ? null : <ProblemNote problem={problem} />}
      </div>
    </section>
  )
}
