import { describe, expect, test } from 'vitest'
import { analyzeShell } from './analyze.ts'
import { judgeShell } from './judge.ts'
import { openRules } from './open-rules.test-kit.ts'
import type { ShellRules } from './rules.ts'

function decide(command: string, rules: Partial<ShellRules>): string {
  return judgeShell(analyzeShell(command), { ...openRules, ...rules }).decision
}

/** Lines that once ran code although they were taken for reading. */
const codeInReading = [
  `python3 -c 'ｅｘｅｃ("open(chr(80),chr(119))")'`,
  `perl '-Mstrict;system(q(touch PWN))' -e 1`,
  `awk -W source='BEGIN{system("touch PWN")}' 'BEGIN{}'`,
  `sqlite3 :memory: <<'EOF'\nselect 1 as "'";\n.system touch PWN\nselect 2 as "'";\nEOF`,
  'git clean -nfdx --no-dry-run',
  'git push --dry-run --no-dry-run origin HEAD:main',
  'wipefs -a disk.img',
  'shutdown -r now',
  'git apply --check --no-check x',
  'unzip -t-t a.zip',
  'lz4 -l a PWN',
  'git merge-file a b c',
  'tidy --write-back yes a.html',
  'setpriv --pdeathsig clear touch F',
  "su <<< 'touch F'",
  "make -n --eval='$(shell touch F)'",
  "dc -e '?' <<< '!touch F'",
  'rake test wipe',
  'choom -n 0 touch F',
  'perl5.36.0 -e 1',
  "RSYNC_CONNECT_PROG='touch F' rsync rsync://a/ .",
  '=touch F',
  "zsh -fc '=touch F'",
]

describe('what was taken for reading and wrote', () => {
  test.each(codeInReading)('SH-10: %s is not allowed as it is without a shell', (command) => {
    expect(decide(command, { onlyReading: true })).not.toBe('allow')
  })

  test.each(codeInReading)('SH-6: %s is not allowed as it is in a reading state', (command) => {
    expect(decide(command, { readOnly: true })).not.toBe('allow')
  })
})

describe('what came in behind a listed command', () => {
  const listed =
    'npm test,git diff,git log,ls,pytest,cargo test,go test,make check,python -m pytest'
  const allowedCommands = listed.split(',').map((entry) => entry.split(' '))
  test.each([
    "make check -n --eval='$(shell touch PWN)'",
    "make check -n -E'$(file >PWN)'",
    "make check 'X:=$(file >PWN)'",
    `make check .SHELLFLAGS='-c "touch PWN"'`,
    "make check MAKEFILES=/dev/stdin <<< '$(shell touch PWN)'",
    "make check PY='touch PWN;'",
    "PY='touch PWN;' make check",
    `pytest -s --trace test_a.py <<< '!open("PWN","w")'`,
    'Npm_Config_Script_Shell=/w/x.sh npm test',
    'npm test --logs-dir=D',
    'npm test --cache=D',
    'CARGO_ENCODED_RUSTFLAGS=-Clinker=/w/x.sh cargo test',
    'cargo test -- --logfile F',
    'cargo test --target-dir D',
    'pytest --log-file=F',
    'pytest -o log_file=F',
    'pytest -o cache_dir=D',
    'pytest --cov-report=html:D',
    'npm test --prefix evil',
    'npm test -C evil',
    'cd evil && npm test',
    'cargo test --manifest-path evil/Cargo.toml',
    'make check -f evil/Makefile',
    'make check -C evil',
    'pytest -c evil.ini',
    'pytest -p evil',
    'go test -ldflags=-extld=./x',
    'go test -overlay=x.json',
  ])('SH-8: %s is not allowed as it is', (command) => {
    expect(decide(command, { readOnly: true, allowedCommands })).not.toBe('allow')
  })
})

describe('what showed a blocked variable', () => {
  test.each([
    'cat /dev/fd/../environ',
    'cat /pr*/self/environ',
    'curl -s file:///%70roc/self/environ',
    `awk 'BEGIN{getline x < "/proc/self/environ";print x}'`,
    `gawk 'BEGIN{print SYMTAB["ENVIRON"]["KEY"]}'`,
    "python3 -c 'import os;print(os.eｎviron)'",
    'jq -n -f <(echo env)',
    'strace -e abbrev=none true',
    "php -r 'print_r($GLOBALS);'",
    `perl -e '$x="EN"."V";print %$x'`,
    "make check PY='echo $$KEY;'",
    'xmllint --noent a.xml',
  ])('SH-9: %s does not pass where the variable stays', (command) => {
    expect(decide(command, { blockedEnv: ['KEY'], environment: 'kept' })).toBe('deny')
  })
})

describe('SH-13: a value that doubles itself', () => {
  test.each([
    (times: number) => `a=../xxxxxxx;${'a=$a$a;'.repeat(times)}cat $a`,
    (times: number) => `a=xxxxxxxxxx;${'a=$a$a;'.repeat(times)}echo > $a`,
    (times: number) => `a=xxxxxxxxxx;${'a+=$a;'.repeat(times)}cat $a`,
    (times: number) => `a=${'x'.repeat(8000)};cat ${'$a'.repeat(times * 100)}`,
  ])('%s costs no more with every doubling', (make) => {
    const { commands } = analyzeShell(make(40))
    const longest = Math.max(...commands.flatMap(({ words }) => words).map((w) => w?.length ?? 0))
    expect(longest).toBeLessThanOrEqual(64 * 1024)
  })
})
