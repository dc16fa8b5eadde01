import { endpoints } from '@statewright/core/wire'
import { personOf, prove } from '../pipeline/proof.ts'
import { refuse } from '../pipeline/reply.ts'
import { type Route, serve } from '../pipeline/route.ts'

/** The PIN, and what it proves. */
export const pinRoutes: readonly Route[] = [
  serve(endpoints.proveByPin, (call) => prove(call, call.body.pin), { isLocal: true }),
  serve(
    endpoints.setPin,
    async ({ server, identity, body }, reply) => {
      const person = personOf(identity)
      if (person === '') return refuse('not_permitted', 'A PIN belongs to a named person.')
      await server.auth.pins.set(person, body.pin)
      return reply(200, { set: true })
    },
    { isLocal: true },
  ),
]
