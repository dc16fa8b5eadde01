import { analyzeShell, judgeShell } from '@statewright/core/internal'
import { describe, expect, test } from 'vitest'
import { openRules } from './rules.ts'

/** Lines that the fuzzer found, cut down: bash runs these programs, so each is told or denied. */
const found: readonly (readonly [rule: string, line: string, ...programs: string[]])[] = [
  ['SH-4', 'env - q1', 'q1'],
  ['SH-4', "sh -c 'time -o out ls'", 'time'],
  ['SH-1', "$'q\\\n1'", 'q\\\n1'],
  ['SH-1', 'q$\\\n1', 'q'],
  ['SH-2', "x='a[$(q1)]'; b=([$x]=1)", 'q1'],
  ['SH-2', "x='a[$(q1)]'; declare -i z=x", 'q1'],
  ['SH-2', "x='a[$(q1)]' declare -i z=x", 'q1'],
  ['SH-2', 'BASH_ALIASES[z]=q1; shopt -s expand_aliases\nz', 'q1'],
  ['SH-3', 'x=q; : $((x++)); $x', '1'],
  ['SH-3', 'x=q; ((1 ? x=7 : 2)); $x', '7'],
  ['SH-3', "x=q; trap 'x=p' DEBUG; $x", 'p'],
  ['SH-3', "x=q; trap 'read x <<<p' DEBUG; :; $x", 'p'],
  ['SH-3', 'declare -u x=q; $x', 'Q'],
  ['SH-3', 'declare -u x; x=q; $x', 'Q'],
  ['SH-3', "x=q; x=p eval '$x'", 'p'],
  ['SH-3', "bash -c 'shift; $1' a b q1", 'q1'],
  ['SH-3', 'f() { x=p; }; x=q; f; $x', 'p'],
  ['SH-3', 'f() { g; }; g() { x=p; }; x=q; f; $x', 'p'],
  ['SH-3', 'x=q; x=p export x; $x', 'p'],
  ['SH-3', 'x=q; exec {x}>&1; $x', '10'],
  ['SH-3', 'x=q; local x=p; $x', 'q'],
  ['SH-3', 'declare -i x; x=q; $x', '0'],
  ['SH-2', "declare -i x; x='a[$(q1)]'", 'q1'],
  ['SH-3', 'x=q; declare -n r=x; r=p; $x', 'p'],
  ['SH-3', 'OPTIND=q; $OPTIND', '0'],
  ['SH-3', 'a{},q}', 'a}', 'aq'],
  ['SH-1', 'q1 $(q2 <<E\nEq3)\nE\n)', 'q3'],
  ['SH-1', 'q1 <<A\n$(($(case x in x) q2;; esac)))\nA\n', 'q2;;'],
  ['SH-1', 'q1 <(<<E<<EOF\nE\\)\nEOF\n)', ')'],
  ['SH-4', 'xargs -a *', 'b'],
  ['SH-4', 'timeout *', 'b'],
  ['SH-4', 'nice -n * q1', 'b'],
  ['SH-3', 'x=q\nreadonly x; x=p\n$x', 'q'],
  ['SH-3', 'declare -r x=q\nx=p\n$x', 'q'],
  ['SH-4', 'flock 9 q1', 'q1'],
  ['SH-4', "env -S 'q\u00a01'", 'q\u00a01'],
  ['SH-3', 'shopt -s lastpipe; x=q1; : | IFS=1; $x', 'q'],
  ['SH-3', 'f() { IFS=1; }; x=q1; f; $x', 'q'],
  ['SH-3', "x=q1; IFS=1 eval '$x'", 'q'],
  ['SH-3', "$'q\\x{ -x'", 'q'],
  ['SH-3', 'x=q1; for i in 1 2; do $x; IFS=1; done', 'q'],
  ['SH-2', 'exec <<<q1; . /dev/stdi*', 'q1'],
  ['SH-4', 'env - - q1', '-'],
  ['SH-3', 'local x=q; $x p', 'p'],
  ['SH-3', 'x=q; set -k; command eval x=p; $x', 'q'],
  ['SH-1', 'q1 $(($(case x in (x) q2;; esac)))', 'out'],
  ['SH-4', 'xargs -E<() { q1', 'q1'],
  ['SH-4', 'env =1 q1', 'q1'],
  ['SH-4', "bash +c 'q1'", 'q1'],
  ['SH-4', "bash -Oc extglob 'q1'", 'q1'],
  ['SH-4', "bash -oc pipefail 'q1'", 'q1'],
]

describe('lines that once hid a program', () => {
  test.each(found)('%s: %j', (_rule, line, ...programs) => {
    const findings = analyzeShell(line)
    const reported = findings.commands.map(({ words: [name] }) => name ?? '')
    const listed = { ...openRules, allowedCommands: reported.map((name) => [name]) }
    const readOnly = { ...openRules, readOnly: true }
    const decisions = [listed, readOnly].map((rules) => judgeShell(findings, rules).decision)
    const isReported = programs.every((program) => reported.includes(program))
    expect(isReported || !decisions.includes('allow')).toBe(true)
  })
})
