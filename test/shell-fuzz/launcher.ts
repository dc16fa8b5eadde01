/**
 * The script that runs lines one after another, each as a child of its own in a folder of its own,
 * with limits on time, size and memory. It starts no program but bash, so it works where nothing
 * else exists. Lines come in and outcomes go out as fields that end in NUL.
 */
export function launcherScript(root: string): string {
  return `
set -m
[[ -v START ]] && export BASH_ENV=$START
unset START
exec {hole}<> <(:)
nap() { read -r -t "$1" -u "$hole" nothing; }
watch() {
  local last= ticks=0 id pid
  while nap 0.25; [[ 1 ]]; do
    read -r id pid < '${root}/log/current' || continue
    if [[ $id == "$last" ]]; then ((++ticks)); else last=$id ticks=0; fi
    if ((ticks > 7)); then kill -KILL -- "-$pid"; fi
  done
}
: > '${root}/log/current'
watch < /dev/null > /dev/null 2>&1 &
watcher=$!
while IFS= read -r -d '' id && IFS= read -r -d '' line; do
  : > '${root}/log/names'
  : > '${root}/log/err'
  cd '${root}'/w/"$id" || exit 1
  {
    ulimit -S -t 2 -f 512 -v 2000000 -n 200
    exec -a bash '${root}/sys/bash' -c -- "$line"
  } < /dev/null > /dev/null 2> '${root}/log/err' {hole}>&- &
  pid=$!
  printf '%s %s\\n' "$id" "$pid" > '${root}/log/current'
  wait "$pid" 2> /dev/null
  status=$?
  ticks=0
  while kill -0 -- "-$pid" 2> /dev/null; do
    nap 0.005
    if ((++ticks > 60)); then kill -KILL -- "-$pid"; break; fi
  done
  names=() err=()
  mapfile -d '' names < '${root}/log/names'
  mapfile -d '' err < '${root}/log/err'
  printf 'R%s\\0' "$id"
  ((\${#names[@]})) && printf 'N%s\\0' "\${names[@]}"
  printf 'S%s\\0E%s\\0' "\${err[0]:0:2000}" "$status"
done
kill -KILL "$watcher"
`
}

/**
 * Builds a root that holds bash, the real wrappers and the recorders, and nothing else of this
 * machine, and enters it. Run inside fresh namespaces: what it mounts ends with them.
 */
export const cageScript = `
set -e
place=$1 chroot=$2 mount=$3
shift 3
for folder in /lib /lib64 /usr/lib /usr/lib64 /usr/libexec; do
  [[ -d $folder ]] && "$mount" --bind -o ro "$folder" "$place$folder"
done
"$mount" --bind /dev/null "$place/dev/null"
"$mount" -t proc proc "$place/proc"
while (($#)) && [[ $1 != -- ]]; do
  "$mount" --bind "$2" "$place/sys/$1"
  shift 2
done
shift
cd "$place"
exec "$chroot" "$@" "$place" /sys/bash /launcher
`
