import type { ProgramEntry } from '../programs/entry.ts'
import { reads, writes } from './shape.ts'

const target = { writeTo: '-t: --target-directory:', flag: '-S: --suffix:' }

/** Programs that make, copy, move, change or remove files. */
export const files: readonly ProgramEntry[] = [
  writes('rm rmdir unlink shred wipe srm trash trash-put', 'removes files', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-n: -s: --iterations: --size:' },
  }),
  writes('cp gcp', 'copies files', { writes: 'last', options: target }),
  writes('mv gmv rename prename rename.ul mmv', 'renames files', {
    writes: 'last',
    options: target,
  }),
  writes('install ginstall', 'installs files', {
    writes: 'last',
    options: { ...target, flag: '-m: --mode: -o: --owner: -g: --group: -S: --suffix:' },
  }),
  writes('ln link', 'makes links', { writes: 'last', options: target, evenSinks: true }),
  writes('touch', 'makes files or changes their times', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-d: --date: -r: --reference: -t: --time:' },
  }),
  writes('mkdir md', 'makes folders', { writes: 'all', options: { flag: '-m: --mode:' } }),
  writes('mkfifo mknod', 'makes special files', { writes: 'first', options: { flag: '-m:' } }),
  writes('mktemp tempfile', 'makes a temporary file', { options: { quiet: '-u --dry-run' } }),
  writes('truncate fallocate', 'changes the size of files', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-s: --size: -r: --reference: -l: --length: -o: --offset:' },
  }),
  writes('chmod chown chgrp', 'changes modes or owners', {
    evenSinks: true,
    options: { flag: '--reference: --from:' },
  }),
  writes('chattr setfacl setfattr setcap xattr chcon restorecon chflags', 'changes attributes', {
    options: { quiet: '-l -p --list' },
  }),
  reads('getfattr getfacl lsattr getcap lsof fuser', { options: { write: '-k --kill' } }),
  reads('tee', { writes: 'all', options: { flag: '-a --append -i -p --output-error?' } }),
  reads('sponge pee', { writes: 'all' }),
  reads('dd', { reader: 'dd' }),
  reads('rsync', {
    writes: 'last',
    options: {
      quiet: '-n --dry-run --list-only',
      run: '-e: --rsh: --rsync-path:',
      writeAlso: '--log-file: --write-batch: --only-write-batch: -T: --temp-dir: --backup-dir:',
      write: '--remove-source-files --remove-sent-files',
      flag:
        '-f: --filter: --exclude: --include: --exclude-from: --include-from: ' +
        '--files-from: -B: --block-size: -M: --remote-option: --bwlimit: --max-size: ' +
        '--min-size: --chmod: --chown: --timeout: --port: --password-file: ' +
        '--out-format: --info: --debug: --link-dest: --compare-dest: --copy-dest: ' +
        '--suffix: --partial-dir:',
    },
  }),
  reads('pax', { options: { write: '-r -w', flag: '-f: -x: -b: -s: -o: -p:' } }),
  reads('cpio', {
    options: {
      write: '-i --extract -p --pass-through -O: -F:',
      quiet: '-t --list',
      run: '--rsh-command:',
      flag: '-H: --format: -C: -R:',
    },
  }),
  writes('patch', 'applies a patch', {
    options: {
      quiet: '--dry-run -C --check',
      writeAlso: '-o: --output: -r: --reject-file:',
      flag:
        '-p: --strip: -i: --input: -d: --directory: -B: --prefix: -z: --suffix: -F: ' +
        '--fuzz: -D: --ifdef: -Y: --basename-prefix: -V: --version-control:',
    },
  }),
  writes('split gsplit csplit', 'writes pieces of a file', { options: { run: '--filter:' } }),
  writes('uudecode', 'decodes into a file', { options: { writeTo: '-o: --output-file:' } }),
  reads('uuencode'),
  writes('strip gstrip objcopy ranlib install_name_tool patchelf', 'rewrites binaries', {
    options: { writeTo: '-o:', quiet: '--info --print-rpath --print-needed --print-interpreter' },
  }),
  writes('dos2unix unix2dos recode', 'rewrites files', {
    options: { quiet: '-i --info -O --to-stdout' },
  }),
  writes('ssh-keygen', 'makes or changes keys', {
    options: { quiet: '-l -L -y -F: -B -Q', flag: '-f: -t: -b: -N: -C: -E:' },
  }),
  writes(
    'mkfs mke2fs mkfs.ext4 mkfs.xfs mkswap fdisk parted sgdisk wipefs losetup',
    'changes disks',
    {
      options: { quiet: '-l --list -a --all' },
    },
  ),
  writes('ctags etags', 'writes a tags file', { options: { quiet: '-x', writeTo: '-f: -o:' } }),
  writes('convert magick mogrify ffmpeg sox gs pdftk qpdf wkhtmltopdf', 'writes files', {
    writes: 'last',
    style: 'single',
    options: { quiet: '-version -formats -codecs -encoders -list:' },
  }),
  writes('pdftotext pdftohtml', 'writes a text file', { writes: 'second' }),
  reads('pandoc', {
    options: {
      writeTo: '-o: --output:',
      load: '-F: --filter: -L: --lua-filter:',
      program: '--pdf-engine:',
    },
  }),
]
