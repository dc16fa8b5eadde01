import type { DefinitionKind } from '@statewright/core/wire'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'

/** Leads to a definition, or into its editor. */
export function DefinitionLink(props: {
  readonly kind: DefinitionKind
  readonly name: string
  readonly to: 'page' | 'edit'
  readonly className?: string
  readonly children: ReactNode
}) {
  const { kind, name, to, children } = props
  const looks = props.className === undefined ? {} : { className: props.className }
  const params = { name }
  if (kind === 'workflow') {
    return to === 'page' ? (
      <Link to="/workflows/$name" params={params} {...looks}>
        {children}
      </Link>
    ) : (
      <Link to="/workflows/$name/edit" params={params} {...looks}>
        {children}
      </Link>
    )
  }
  return to === 'page' ? (
    <Link to="/processes/$name" params={params} {...looks}>
      {children}
    </Link>
  ) : (
    <Link to="/processes/$name/edit" params={params} {...looks}>
      {children}
    </Link>
  )
}
