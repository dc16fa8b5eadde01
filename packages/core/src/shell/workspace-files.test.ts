import { describe, expect, test } from 'vitest'
import { analyzeShell } from './analyze.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'

describe('SH-10: files of the workspace', () => {
  test.each([
    ['cat src/a.ts /project/src/b.ts', 'allow'],
    ['cd /project && git status', 'allow'],
    ['cd src && git status', 'contain'],
    ["sed -n '/start/,/end/p' a.ts", 'allow'],
    ["grep -rn '/api/users' src", 'allow'],
    ['cat ../project/a.ts', 'allow'],
    ['ls /usr/share/doc', 'allow'],
    ['for f in *.ts; do head -1 "$f"; done', 'allow'],
    ['find src -name a | xargs cat', 'allow'],
    ['cat ~/.ssh/id_rsa', 'contain'],
    ['cat $HOME/.netrc', 'contain'],
    ['cat ../../etc/shadow', 'contain'],
    ['cat < /etc/shadow', 'contain'],
    ['head --lines=1 /etc/shadow', 'contain'],
    ['awk \'BEGIN { while ((getline l < "/etc/shadow") > 0) print l }\'', 'contain'],
    ['find / -name id_rsa', 'contain'],
    ['cat $(echo /pro""c/self/environ)', 'contain'],
    ['xargs cat <<< /pro""c/x', 'contain'],
    ['sort --files0-from=list', 'contain'],
    ['dd if=/etc/passwd', 'contain'],
    ['dd if=a.txt bs=1', 'allow'],
    ['cat src/../x', 'contain'],
    ['grep -r x link/../y', 'contain'],
    ["sed 's/a/../' a.txt", 'allow'],
    [`for x in /etc/*; do head -1 "$x"; done`, 'contain'],
    [`for f in ../*; do cat "$f"; done`, 'contain'],
    [`for x in ~/.ssh/*; do cat "$x"; done`, 'contain'],
    [`for x in $HOME/*; do cat "$x"; done`, 'contain'],
    ['cat $PWD/../etc/passwd', 'contain'],
    [`cat "$(pwd)/../etc/passwd"`, 'contain'],
    ['cat $(dirname $PWD)/etc/passwd', 'contain'],
    [`cat \${PWD%/*}/etc/passwd`, 'contain'],
    ['find $HOME -type f', 'contain'],
    ['ls $HOME', 'contain'],
    ['grep -r x $HOME', 'contain'],
    ['cat $(which ls)', 'contain'],
    ['cat $SHELL', 'contain'],
    ['cat .?/etc/passwd', 'contain'],
    ['cat .*/x', 'contain'],
    ['OLDPWD=/etc; cd -; cat passwd', 'contain'],
    [`cd "$OLDPWD"; cat passwd`, 'contain'],
    ['cat /dev/sda', 'contain'],
  ])('SH-10: with the workspace known, %s is answered %s', (command, expected) => {
    const workspace = { roots: ['/project'], cwd: '/project' }
    const findings = analyzeShell(command, { workspace })
    expect(judgeShell(findings, { ...openRules, onlyReading: true }).decision).toBe(expected)
  })
})
