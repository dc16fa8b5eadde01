import { testPersonMark } from '../auth/auth.ts'
import { type Reply, refuse } from './reply.ts'
import type { Call } from './route.ts'

export const pinHeader = 'x-statewright-pin'

/**
 * Asks for the PIN where a person's token alone is not enough: always in strict mode, else for
 * what is dangerous. Undefined means go on.
 */
export async function stepUp(
  { parts, identity, request }: Pick<Call<unknown, unknown>, 'parts' | 'identity' | 'request'>,
  act: { readonly dangerous: boolean },
): Promise<Reply | undefined> {
  const { auth, runtime } = parts
  const rule = runtime.settings.strict ? 'always' : auth.stepUp
  if (rule === 'never' || (rule === 'dangerous' && !act.dangerous)) return undefined
  if (identity.token.createdBy === testPersonMark) return undefined
  return checkPin(parts, request.headers.get(pinHeader))
}

export async function checkPin(
  { auth }: Pick<Call<unknown, unknown>['parts'], 'auth'>,
  pin: string | null,
): Promise<Reply | undefined> {
  if (pin === null || pin === '') {
    const next = (await auth.pin.isSet())
      ? `send the PIN in the header ${pinHeader}.`
      : 'set a PIN first: PUT /api/pin.'
    return refuse('step_up_required', 'This needs the PIN of the person.', { next })
  }
  switch (await auth.pin.check(pin)) {
    case 'right':
      return undefined
    case 'unset':
      return refuse('step_up_required', 'No PIN was set yet.', { next: 'set one: PUT /api/pin.' })
    case 'wrong':
      return refuse('pin_wrong', 'That is not the PIN.', { next: 'five wrong ones lock it.' })
    case 'locked':
      return refuse('pin_locked', 'Too many wrong PINs.', {
        next: 'wait 15 minutes, or restart the server.',
      })
  }
}
