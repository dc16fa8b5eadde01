/** How a program is started. */
export interface Start {
  readonly program: string
  readonly args: readonly string[]
}

/**
 * Starts bubblewrap and looks at what it made before the command begins. Bubblewrap binds by path:
 * a command in another cage that swaps a folder for a link at the right moment would have it bind
 * something else, writable. So the mounts of the new cage are compared with those wanted.
 */
export function checkedStart(shell: string, filter: string, { program, args }: Start): Start {
  // Privileged, a shell takes no functions out of the environment.
  const words = ['--noprofile', '--norc', '-p', '-c', outside, 'statewright', filter, inside]
  return { program: shell, args: [...words, program, ...args] }
}

/**
 * In front of bubblewrap: reads its options up to `--` for what is to be mounted where, and puts
 * the check before the command. The filter of system calls can only be given as a descriptor.
 */
const outside = `
filter=$1 check=$2 start=("$3"); shift 3
escaped() { REPLY=\${1//\\\\/\\\\134}; REPLY=\${REPLY// /\\\\040}; REPLY=\${REPLY//$'\\t'/\\\\011}
  REPLY=\${REPLY//$'\\n'/\\\\012}; }
wanted() { escaped "$2"; plan+="$1 $REPLY"$'\\n'; }
if [[ -n $filter ]]; then exec 9< <(printf "$filter"); start+=(--seccomp 9); fi
plan= host=
while (($#)); do
  words=1
  case $1 in
    --) break ;;
    --ro-bind) words=3; if [[ $2 == /dev/null ]]; then wanted null "$3"; else wanted ro "$3"; fi ;;
    --bind) words=3; wanted rw "$3" ;;
    --ro-bind-try) words=3; wanted try "$3" ;;
    --tmpfs) words=2; wanted tmpfs "$2" ;;
    --setenv) words=3 ;;
    --chdir | --size | --perms | --remount-ro | --dev | --proc | --cap-drop) words=2 ;;
  esac
  start+=("\${@:1:words}"); shift "$words"
done
shift
while read -r _ _ _ root point _; do host+="$root $point"$'\\n'; done < /proc/self/mountinfo
exec "\${start[@]}" -- "$BASH" --noprofile --norc -p -c "$check" statewright "$host" "$plan" "$@"
`

/**
 * In the cage, before the command: what is mounted where nobody wanted it, or is not what was
 * wanted there, or is missing, means that the command does not run. Folders of the machine are seen
 * through the root, and the cage's own /dev and /proc are no way out.
 */
const inside = `
declare -A host wanted found
while read -r root point; do [[ -n $point ]] && host[$point]=$root; done <<< "$1"
while read -r kind point; do [[ -n $point ]] && wanted[$point]=$kind; done <<< "$2"
shift 2
fail() {
  echo "statewright: the command was not run. The sandbox is not as planned: $1" >&2; exit 126
}
while read -r _ _ _ root point options _; do
  if [[ -n \${wanted[$point]-} ]]; then found[$point]="\${options%%,*} $root"
  elif [[ -z \${host[$point]-} && $point != / && $point != /dev && $point != /proc
    && $point != /dev/* && $point != /proc/* ]]; then fail "$point"; fi
done < /proc/self/mountinfo
for point in "\${!wanted[@]}"; do
  [[ $point == / ]] && continue
  kind=\${wanted[$point]} is=\${found[$point]-}
  [[ -z $is && $kind == try ]] && continue
  at=$point
  until [[ -n \${host[$at]-} ]]; do at=\${at%/*}; at=\${at:-/}; done
  root=\${host[$at]%/}\${point#"\${at%/}"}
  case $kind in
    rw) [[ \${is#* } == "$root" ]] || fail "$point" ;;
    ro | try) [[ $is == "ro $root" ]] || fail "$point" ;;
    null) [[ $is == "ro "*/null ]] || fail "$point" ;;
    tmpfs) [[ \${is#* } == / ]] || fail "$point" ;;
  esac
done
unset host wanted found point kind is at root options
exec "$@"
`
