/**
 * Programs that answer `--help` and `--version` by printing, and do nothing else first. Most others
 * load plugins, a toolchain or settings of the project before they answer, and so prove nothing.
 * Programs that only read need not stand here.
 */
export const answering: ReadonlySet<string> = new Set(
  [
    'rm rmdir unlink cp mv ln link touch mkdir mkfifo mknod mktemp truncate chmod chown chgrp',
    'install split csplit shred patch gzip gunzip bzip2 bunzip2 xz unxz zstd zip unzip',
    'env nice timeout nohup stdbuf bash sh dash ssh-keygen openssl wget',
    'git gh make gcc g++ cc c++ clang clang++ ld ar strip cmake',
    'node nodejs npm npx deno bun python python2 python3 pip pip3 uv perl ruby php lua',
    'docker podman kubectl helm systemctl',
  ].flatMap((names) => names.split(' ')),
)
