import { isJsonObject } from '../../base/json.ts'
import { type Finding, finding, type Path } from '../finding.ts'
import { nameFault } from '../names.ts'
import { rawAt, rawMembers } from './raw.ts'
import { quote } from './wording.ts'

/**
 * Names an author cannot use, looked for in what was written: a schema only sees the names that
 * its parser let through, and parsers drop `__proto__` without a word.
 */
export function reservedNames(value: unknown): Finding[] {
  const findings: Finding[] = []
  const check = (path: Path, faultOf: (name: string) => string | undefined = nameFault) => {
    for (const [name] of rawMembers(rawAt(value, path))) {
      const fault = faultOf(name)
      if (fault !== undefined) findings.push(finding('reserved_name', [...path, name], `${fault}.`))
    }
  }
  check(['states'], stateFault)
  check(['guards'])
  check(['interrupts'])
  check(['evidence'])
  for (const [state, raw] of rawMembers(rawAt(value, ['states']))) {
    check(['states', state, 'answers'], answerFault)
    check(['states', state, 'on'], eventFault)
    for (const [event, transition] of rawMembers(rawAt(raw, ['on']))) {
      if (isJsonObject(transition) && Object.hasOwn(transition, 'fork')) {
        check(['states', state, 'on', event, 'fork', 'branches'])
      }
    }
  }
  const id = rawAt(value, ['id'])
  const idFault = typeof id === 'string' ? nameFault(id) : undefined
  if (idFault !== undefined) findings.push(finding('reserved_name', ['id'], `${idFault}.`))
  return [...findings, ...unreadableFields(value)]
}

function stateFault(name: string): string | undefined {
  if (name === '$return') return '"$return" means the interrupted state and cannot name a state'
  return nameFault(name)
}

function eventFault(name: string): string | undefined {
  if (/^BRANCH_(DONE|FAIL)(:|$)/.test(name)) {
    return `${quote(name)} is reserved for forks and cannot name another event`
  }
  return nameFault(name)
}

function answerFault(name: string): string | undefined {
  if (name !== name.trim()) return `${quote(name)} begins or ends with a space; answers are trimmed`
  return nameFault(name)
}

/** `__proto__` never is a context key, so a guard on it could never mean what it says. */
function unreadableFields(value: unknown): Finding[] {
  return rawMembers(rawAt(value, ['guards'])).flatMap(([name, guard]) => {
    const field = rawAt(guard, ['field'])
    const isReserved = typeof field === 'string' && field.split('.').includes('__proto__')
    const message = '"__proto__" cannot be used as a name.'
    return isReserved ? [finding('reserved_name', ['guards', name, 'field'], message)] : []
  })
}
