import type { ProgramEntry } from '../programs/entry.ts'
import { changes, passes, reads, writes } from './shape.ts'

const target = {
  writeTo: '-t: --target-directory:',
  flag:
    '-S: --suffix: -a --archive -r -R --recursive -p --preserve? -f --force -i --interactive ' +
    '-n --no-clobber -u --update? -v --verbose -T --no-target-directory -d -L -P -H -l -s ' +
    '--symbolic -x -b --backup? --parents --strip-trailing-slashes --reflink? --sparse:',
}

/** Programs that make, copy, move, change or remove files. */
export const files: readonly ProgramEntry[] = [
  writes('rm rmdir unlink', 'does_removes_files', {
    writes: 'all',
    evenSinks: true,
    options: {
      flag:
        '-r -R --recursive -f --force -i -I --interactive? -v --verbose -d --dir -p --parents ' +
        '--one-file-system --preserve-root? --ignore-fail-on-non-empty',
    },
  }),
  writes('shred wipe srm trash trash-put', 'does_removes_files', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-n: -s: --iterations: --size: -u -v -z -f' },
  }),
  writes('cp gcp', 'does_copies_files', { writes: 'last', options: target }),
  writes('mv gmv rename prename rename.ul mmv', 'does_renames_files', {
    writes: 'last',
    options: target,
  }),
  writes('install ginstall', 'does_installs_files', {
    writes: 'last',
    options: { ...target, flag: '-m: --mode: -o: --owner: -g: --group: -S: --suffix:' },
  }),
  writes('ln link', 'does_makes_links', { writes: 'last', options: target, evenSinks: true }),
  writes('touch', 'does_makes_files_changes_their', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-d: --date: -r: --reference: -t: --time: -a -m -c --no-create -h' },
  }),
  writes('mkdir md', 'does_makes_folders', {
    writes: 'all',
    options: { flag: '-m: --mode: -p --parents -v' },
  }),
  writes('mkfifo mknod', 'does_makes_special_files', { writes: 'first', options: { flag: '-m:' } }),
  writes('mktemp tempfile', 'does_makes_temporary_file'),
  writes('truncate fallocate', 'does_changes_size_files', {
    writes: 'all',
    evenSinks: true,
    options: { flag: '-s: --size: -r: --reference: -l: --length: -o: --offset:' },
  }),
  writes('chmod chown chgrp', 'does_changes_modes_owners', {
    evenSinks: true,
    options: { flag: '--reference: --from: -R --recursive -v --verbose -f -c -h -H -L -P' },
  }),
  writes(
    'chattr setfacl setfattr setcap xattr chcon restorecon chflags',
    'does_changes_attributes',
  ),
  reads('getcap', { options: { flag: '-r -v -n' } }),
  changes('fuser', 'does_changes_machine'),
  reads('tee', { writes: 'all', options: { flag: '-a --append -i -p --output-error?' } }),
  writes('sponge', 'does_writes_files', { writes: 'all', bare: 'read' }),
  writes('pee', 'does_writes_files'),
  reads('dd', { reader: 'dd' }),
  reads('rsync', {
    writes: 'last',
    remoteOperand: '^[^/]*:|^rsync://',
    options: {
      quiet: '-n --dry-run --list-only',
      run: '-e: --rsh: --rsync-path:',
      writeAlso: '--log-file: --write-batch: --only-write-batch: -T: --temp-dir: --backup-dir:',
      write: '--remove-source-files --remove-sent-files',
      flag:
        '-a --archive -v --verbose -z --compress -r --recursive -u --update -i -h --stats ' +
        '--itemize-changes --human-readable --delete --progress -P -q -l -p -t -g -o -D -H -A -X ' +
        '-c --checksum -x -W -S --partial ' +
        '-f: --filter: --exclude: --include: --exclude-from: --include-from: ' +
        '--files-from: -B: --block-size: --bwlimit: --max-size: ' +
        '--min-size: --chmod: --chown: --timeout: --port: --password-file: ' +
        '--out-format: --info: --debug: --link-dest: --compare-dest: --copy-dest: ' +
        '--suffix: --partial-dir:',
    },
  }),
  reads('pax', { options: { write: '-r -w', flag: '-f: -v' } }),
  writes('cpio', 'does_changes_files', { options: { run: '--rsh-command:' } }),
  writes('patch', 'does_applies_patch', {
    options: {
      quiet: '--dry-run',
      writeAlso: '-o: --output: -r: --reject-file:',
      flag:
        '-p: --strip: -i: --input: -d: --directory: -B: --prefix: -z: --suffix: -F: ' +
        '--fuzz: -D: --ifdef: -Y: --basename-prefix: -V: --version-control:',
    },
  }),
  writes('split gsplit csplit', 'does_writes_pieces_file', { options: { run: '--filter:' } }),
  writes('uudecode', 'does_decodes_into_file', { options: { writeTo: '-o: --output-file:' } }),
  reads('uuencode'),
  writes('strip gstrip objcopy ranlib install_name_tool patchelf', 'does_rewrites_binaries', {
    options: { writeTo: '-o:' },
  }),
  writes('dos2unix unix2dos recode', 'does_rewrites_files', {
    options: { quiet: '-i --info' },
  }),
  writes(
    'mkfs mke2fs mkfs.ext4 mkfs.xfs mkswap fdisk parted sgdisk wipefs losetup',
    'does_changes_disks',
  ),
  writes('ctags etags', 'does_writes_tags_file', { options: { writeTo: '-f: -o:' } }),
  writes('convert magick mogrify ffmpeg sox gs pdftk qpdf wkhtmltopdf', 'does_writes_files', {
    writes: 'last',
    style: 'single',
    // Some go on all the same where files are named as well.
    options: { rehearse: '-version -formats -codecs -encoders' },
  }),
  writes('pdftotext pdftohtml', 'does_writes_text_file', { writes: 'second' }),
  // It fetches what a text names, and runs filters and formats that are scripts.
  passes('pandoc', {
    options: { writeTo: '-o: --output:', writeAlso: '--extract-media: --log:' },
  }),
]
