import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import {
  type Claim,
  checkDefinition,
  compileProgram,
  definitionIn,
  describeFor,
  proverOf,
} from '@statewright/core/internal'
import { proveClaims, proverFor } from '../packages/server/src/cli/workflow/scenario/claims.ts'
import { readScenarios } from '../packages/server/src/cli/workflow/scenario/read.ts'
import type { BenchResult } from './measure.ts'

const folder = join(import.meta.dirname, '../packages/server/templates')
const suffix = '.scenarios.yaml'

/**
 * Proving what each template claims of itself, with what nobody has to write, in milliseconds of
 * the processor: the slowest of all, once it is warm. Beside it 200 states with three forks.
 */
export function benchProve(): BenchResult {
  const names = readdirSync(folder).filter((name) => name.endsWith(suffix))
  for (const name of names) proveTemplate(name)
  const times = names.map((name) => {
    return [name.slice(0, -suffix.length), proveTemplate(name)] as const
  })
  const large = proveLarge()
  return {
    name: 'prove',
    value: Math.max(...times.map(([, ms]) => ms)),
    unit: 'ms',
    target: '< 1000',
    more: {
      ...Object.fromEntries(times),
      states_200_forks_3: large.ms,
      states_200_forks_3_decided: large.isDecided ? 1 : 0,
    },
  }
}

function proveTemplate(name: string): number {
  const read = readScenarios(join(folder, name))
  if (!read.ok) throw new Error(read.error.message)
  const begun = process.cpuUsage()
  const prover = proverFor(read.value, { root: folder, programs: new Map() })
  proveClaims(read.value, prover)
  prover.standing()
  return milliseconds(begun)
}

function milliseconds(begun: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(begun)
  return (user + system) / 1000
}

/** A long road with three forks on it, each of three branches that are roads themselves. */
function largeDefinition() {
  const states: Record<string, object> = { end: { type: 'final' }, ok: { type: 'final' } }
  const road = (name: string, length: number, last: object | string) => {
    for (let at = 0; at < length; at++) {
      const next = at === length - 1 ? last : `${name}${at + 1}`
      states[`${name}${at}`] = { allowed_tools: ['Read'], on: { NEXT: next } }
    }
  }
  const fork = (name: string, next: string) => {
    const branches = ['x', 'y', 'z'].map((branch) => {
      road(`${name}${branch}`, 18, 'ok')
      return [branch, { initial: `${name}${branch}0`, terminal: 'ok' }]
    })
    return { fork: { branches: Object.fromEntries(branches), on_complete: next } }
  }
  road('a', 9, fork('f', 'b0'))
  road('b', 9, fork('g', 'c0'))
  road('c', 9, fork('h', 'd0'))
  road('d', 9, 'end')
  return { id: 'large', initial: 'a0', states }
}

function proveLarge(): { readonly ms: number; readonly isDecided: boolean } {
  const checked = checkDefinition(JSON.stringify(largeDefinition()), { format: 'json' })
  const definition = definitionIn(checked)
  if (definition === undefined) throw new Error('the large definition cannot be read')
  const compiled = compileProgram(definition)
  if (!compiled.ok) throw new Error('the large definition cannot be compiled')
  const program = compiled.value
  const claim: Claim = { never: { enter: 'end' }, unless: { visited: 'd0' } }
  const begun = process.cpuUsage()
  const prover = proverOf(program, {
    describe: (call) => describeFor(program, call, { root: '/work' }),
    claims: [claim],
  })
  const answer = prover.prove(claim)
  const standing = prover.standing()
  const answers = [...(answer.ok ? [answer.value] : []), ...standing.map((one) => one.answer)]
  return {
    ms: milliseconds(begun),
    isDecided: answers.every(({ verdict }) => verdict !== 'not_decided'),
  }
}
