import type { Problem } from '@statewright/core/internal'

export function brokenSettings(where: string, why: string): Problem {
  return {
    code: 'config_invalid',
    message: `The settings file cannot be read (${why.slice(0, 200)}); it was left as it is.`,
    where,
    next: 'fix it and try again.',
  }
}

export function takenSettings(where: string, path: readonly (string | number)[]): Problem {
  return {
    code: 'config_invalid',
    message: `${path.join('.')} exists already and is not from Statewright. Nothing was changed.`,
    where,
    next: 'remove or rename it and try again.',
  }
}
