import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { data, home, makeWorld, removeWorld, root, shell } from './protect.test-kit.ts'

beforeAll(makeWorld)
afterAll(removeWorld)

/* biome-ignore-start lint/suspicious/noTemplateCurlyInString: as a shell reads them. */
describe('SH-18: our data, by variables whose value can be known', () => {
  test.each([
    'cat ${XDG_STATE_HOME:-$HOME/.local/state}/statewright/logins.json',
    'cat "${XDG_STATE_HOME:-$HOME/.local/state}"/statewright/installs/*.json',
    'grep -r sw_ ${XDG_STATE_HOME:-$HOME/.local/state}/statewright',
    'cat ${HOME:+$HOME/.local/state}/statewright/logins.json',
    'cat $XDG_STATE_HOME/statewright/logins.json',
    'cd "$XDG_STATE_HOME"/statewright && cat logins.json',
    'cat < $XDG_STATE_HOME/statewright/logins.json',
    'printf "%s" "$(<$XDG_STATE_HOME/statewright/logins.json)"',
    'git diff --no-index /dev/null ${XDG_STATE_HOME:-$HOME/.local/state}/statewright/logins.json',
    'git blame --contents ${XDG_STATE_HOME:-$HOME/.local/state}/statewright/logins.json add.js',
    `x=${data.toUpperCase()}/LOGINS.JSON; cat \${x,,}`,
    `x=${data.toUpperCase()}/LOGINS.JSON; git diff --no-index /dev/null \${x@L}`,
    `x=a; x=${data}/store.db; y=b; cat \${x:0}; x=c`,
    `OLDPWD=${home}/.local; cd -; cat state/statewright/logins.json`,
    `HOME=${home}/.local; cat ~/state/statewright/logins.json`,
    `HOME=${home}; cd; cat .local/state/statewright/logins.json`,
    `PWD=${home}/.local; cat ~+/state/statewright/logins.json`,
    `OLDPWD=${home}/.local; cat ~-/state/statewright/logins.json`,
    'shopt -s extglob\ncat ~/.local/state/!(x)/logins.json',
    'cat $V/logins.json',
    'jq . "$V"/statewright.db',
    'cat /proc/$PPID/environ',
    'cat /proc/$PPID/fd/24',
    'cat /proc/$PPID/task/$PPID/environ',
    'strace -f -e trace=read statewright run list',
    'NODE_OPTIONS="--require ./x.cjs" statewright run list',
    'LD_PRELOAD=./x.so statewright run list',
  ])('%s', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    'x=.CLAUDE/SETTINGS.JSON; echo {} > ${x,,}',
    'cd ${HOME:+.claude} && echo {} > settings.json',
    'rm -rf ${X:-.claude}',
    `OLDPWD=${root}/.claude; cd -; echo {} > settings.json`,
    'shopt -s extglob\nrm .cla!(x)/settings.json',
    `\${X:-kill} ${process.pid}`,
    '${X:-statewright} approval list',
    'x=STATEWRIGHT; ${x,,} approval list',
  ])('%s: what guards', (command) => {
    expect(shell(command)).toBe('deny')
  })

  test.each([
    'cat ${X:-README.md}',
    'echo $HOME $PATH $USER',
    'cd "$PWD/sub" && ls',
    'for f in a b; do cat "$f"; done',
    'x=1; echo $((x+1)) > sub/out',
    'cat ${OUT:-sub}/scratch > sub/x',
    'npm test -- --grep "$NAME"',
    'statewright run list',
  ])('%s is not held', (command) => {
    expect(shell(command)).toBe('allow')
  })
})
/* biome-ignore-end lint/suspicious/noTemplateCurlyInString: as a shell reads them. */
