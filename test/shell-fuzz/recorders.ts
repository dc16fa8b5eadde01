import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** Programs that really start what they are given; in a cage the real ones do it. */
export const wrapperNames = [
  'env',
  'nice',
  'nohup',
  'timeout',
  'xargs',
  'find',
  'stdbuf',
  'setsid',
  'ionice',
  'flock',
]
const shellNames = ['bash', 'sh', 'dash', 'rbash']
const plainNames = [
  'r1',
  'r2',
  'r3',
  'r4',
  'ko1',
  'rm',
  'touch',
  'git',
  'make',
  'ls',
  'grep',
  'cat',
  'tee',
  'npm',
  'node',
  'python3',
  'python',
  'perl',
  'ruby',
  'curl',
  'wget',
  'tar',
  'sed',
  'awk',
  'sort',
  'mv',
  'cp',
  'ln',
  'mkdir',
  'chmod',
  'dd',
  'sudo',
  'ssh',
  'pytest',
  'head',
  'tail',
  'wc',
  'id',
  'date',
  'sleep',
  'uniq',
  'cut',
  'tr',
  'rg',
  'jq',
  'base64',
]

/**
 * What bash calls for a name that it does not find: the attempt is written down, a line is printed
 * so that pipes and substitutions carry something, and names in `ko` fail. It is far cheaper than
 * a program for each name, and sees names that a mutation made up.
 */
export function notFoundHandle(root: string): string {
  return `() {
  builtin printf '%s\\0' "$1" >> '${root}/log/names'
  case $1 in ko*) builtin return 1;; esac
  builtin printf '%s\\n' out
}`
}

function recorder(root: string, isCaged: boolean): string {
  // Outside a cage only the shells start anything, since they come back to these recorders.
  const start = isCaged
    ? `${wrapperNames.join('|')}) exec "${root}/sys/$name" "$@";;`
    : `${wrapperNames.join('|')}) ;;`
  const shells = isCaged ? '*' : '-c*|-s*|--norc*|""'
  return `#!${root}/sys/bash
name=\${0##*/}
printf '%s\\0' "$name" >> '${root}/log/names'
export PATH='${root}/rec'
[[ -r '${root}/sys/first' ]] && export BASH_ENV='${root}/sys/first'
command_not_found_handle ${notFoundHandle(root)}
export -f command_not_found_handle
case $name in
  ${shellNames.join('|')})
    case "$1" in ${shells}) exec -a "$name" '${root}/sys/bash' "$@";; esac;;
  ${start}
  cat|tee)
    if [[ $# == 0 || $1 == - ]]; then
      while IFS= read -r text || [[ $text ]]; do printf '%s\\n' "$text"; done
    fi;;
  ko*) exit 1;;
  *) printf '%s\\n' out;;
esac
`
}

/** Fills the folder that PATH of every line points to, and nothing else. */
export function writeRecorders(folder: string, root: string, isCaged: boolean): void {
  mkdirSync(join(folder, 'rec'))
  const script = join(folder, 'rec', '.recorder')
  writeFileSync(script, recorder(root, isCaged))
  chmodSync(script, 0o755)
  for (const name of [...wrapperNames, ...shellNames, ...plainNames]) {
    symlinkSync('.recorder', join(folder, 'rec', name))
  }
}
