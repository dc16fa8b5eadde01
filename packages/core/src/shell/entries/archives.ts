import type { ProgramEntry } from '../programs/entry.ts'
import { all, passes, reads, writes } from './shape.ts'

const levels = '-1 -2 -3 -4 -5 -6 -7 -8 -9'

/** Archives and compressed files: listing and unpacking to the terminal is reading. */
export const archives: readonly ProgramEntry[] = [
  writes('gzip gunzip', 'does_replaces_files', {
    bare: 'read',
    options: {
      quiet: '-c --stdout --to-stdout -l --list -t --test',
      flag: `-d --decompress -k --keep -f --force -n --no-name -N --name -q --quiet -v --verbose ${levels}`,
    },
  }),
  // Of these the last mode counts: `-t -d` unpacks. So a test or a list proves nothing.
  writes('bzip2 bunzip2', 'does_replaces_files', {
    bare: 'read',
    options: {
      quiet: '-c --stdout',
      rehearse: '-t --test',
      flag: `-d --decompress -k --keep -f --force -q --quiet -v --verbose -s --small ${levels}`,
    },
  }),
  writes('xz unxz lzma unlzma pigz unpigz', 'does_replaces_files', {
    bare: 'read',
    options: {
      quiet: '-c --stdout --to-stdout',
      rehearse: '-l --list -t --test',
      flag: `-d --decompress -k --keep -f --force -q -v -T: --threads: -e -0 ${levels}`,
    },
  }),
  writes(
    'zstd unzstd lz4 unlz4 brotli unbrotli compress uncompress lzip lzop',
    'does_writes_files',
  ),
  reads('zcat gzcat', { options: { flag: '-f --force -l --list -q --quiet -v --verbose -t' } }),
  reads('bzcat xzcat lzcat', { options: { flag: '-q --quiet -v --verbose -k' } }),
  // Scripts that put their words together for a shell, and do not quote each of them right.
  passes('zdiff zcmp bzdiff bzcmp xzdiff xzcmp'),
  reads('zipinfo', { options: { flag: '-1 -2 -s -m -l -v -h -M -t -T -z -x: -C' } }),
  writes('zip zipcloak zipnote zipsplit', 'does_writes_archive', {
    writes: 'first',
    options: { run: '-TT: --unzip-command:', flag: '-x -i -b: -t: -n: -r -q -9 -j -u -m -d' },
  }),
  // A second dash in a bundle takes a letter back: `-t-t` unpacks.
  writes('unzip', 'does_unpacks_files', {
    style: 'words',
    options: { quiet: '-l -t -p -v -z -Z -c -Z1 -lv -lq', flag: '-q -qq -C -P: -x' },
  }),
  writes('7z 7za 7zr 7zz', 'does_changes_files', {
    sub: all('l t i b h', 'read', { readsLists: true }),
  }),
  writes('unrar rar', 'does_changes_files', { sub: all('l lb lt v vb vt t p', 'read') }),
  writes('ar gar', 'does_changes_archive', {
    readsLists: true,
    style: 'none',
    sub: all('t tv -t p -p pv', 'pass', { style: 'none' }),
  }),
  // The machine that it runs on leaves a file of its own.
  writes('jar', 'does_changes_archive', { sub: all('tf tvf', 'pass') }),
  reads('tar gtar', { reader: 'tar' }),
  writes('unsquashfs', 'does_unpacks_files'),
]
