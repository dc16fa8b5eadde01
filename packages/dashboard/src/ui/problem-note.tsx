export interface ShownProblem {
  readonly code: string
  readonly message: string
  readonly where?: string | undefined
  readonly next?: string | undefined
}

/** An error in its three lines: what with its code, where, and what to do next. */
export function ProblemNote({ problem }: { readonly problem: ShownProblem }) {
  const { code, message, where, next } = problem
  return (
    <div className="note bad" role="alert">
      <p>
        <code>{code}</code> {message}
      </p>
      {where === undefined ? null : <p className="soft small-text">in: {where}</p>}
      {next === undefined ? null : <p className="small-text">Next: {next}</p>}
    </div>
  )
}
