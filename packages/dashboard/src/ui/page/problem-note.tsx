export interface ShownProblem {
  readonly code: string
  readonly message: string
  readonly where?: string | undefined
  readonly next?: string | undefined
}

/** An error in its three lines: what, where, and what to do next; its code is small print. */
export function ProblemNote({ problem }: { readonly problem: ShownProblem }) {
  const { code, message, where, next } = problem
  return (
    <div className="note bad" role="alert">
      <p>
        {message} <code className="soft small-text">{code}</code>
      </p>
      {where === undefined ? null : <p className="soft small-text">in: {where}</p>}
      {next === undefined ? null : <p className="small-text">Next: {next}</p>}
    </div>
  )
}
