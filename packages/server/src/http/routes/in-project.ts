import { seesProject } from '../../runtime/runs/scope.ts'
import { refuse } from '../pipeline/reply.ts'
import type { Route } from '../pipeline/route.ts'

/** Routes whose query names a project: to who does not work there, it keeps nothing (PO-8). */
export function inProject(routes: readonly Route[]): readonly Route[] {
  return routes.map((route) => ({
    ...route,
    async handle(call) {
      const { project } = call.query as { readonly project: string } // Every query here has it.
      if (await seesProject(call.server.runtime, call.caller, project)) return route.handle(call)
      const next = 'ask a person for a token of that project.'
      return refuse('not_found', 'Your token does not belong to this project.', {
        where: '?project',
        next,
      })
    },
  }))
}
