import type { ProgramEntry } from '../programs/entry.ts'
import { all, reads, writes } from './shape.ts'

const compress = {
  bare: 'read' as const,
  options: {
    quiet: '-c --stdout --to-stdout -l --list -t --test --info -V',
    writeTo: '-o:',
    flag: '-S: --suffix: -T: --threads: -M: --memlimit: -p: --processes: -b: --blocksize:',
  },
}

/** Archives and compressed files: listing and unpacking to the terminal is reading. */
export const archives: readonly ProgramEntry[] = [
  writes(
    'gzip gunzip bzip2 bunzip2 xz unxz lzma unlzma pigz unpigz',
    'does_replaces_files',
    compress,
  ),
  writes(
    'zstd unzstd lz4 unlz4 brotli unbrotli compress uncompress lzip lzop',
    'does_writes_files',
    compress,
  ),
  reads('zcat bzcat xzcat lzcat zstdcat gzcat lz4cat zless zmore zgrep zegrep zfgrep'),
  reads('bzgrep xzgrep zstdgrep zdiff zcmp xzdiff zipinfo zipgrep funzip lsar'),
  writes('zip zipcloak zipnote zipsplit', 'does_writes_archive', {
    writes: 'first',
    options: {
      quiet: '-sf --show-files -h -L',
      run: '-TT: --unzip-command:',
      flag: '-x -i -b: -t: -n:',
    },
  }),
  writes('unzip', 'does_unpacks_files', {
    options: { quiet: '-l -t -p -v -z -Z -c', flag: '-P: -x -O: -I: -d:' },
  }),
  writes('7z 7za 7zr 7zz', 'does_changes_files', { sub: all('l t i b h', 'read') }),
  writes('unrar rar', 'does_changes_files', { sub: all('l lb lt v vb vt t p', 'read') }),
  writes('ar gar', 'does_changes_archive', { style: 'none', sub: all('t tv -t p -p pv', 'read') }),
  writes('jar', 'does_changes_archive', { sub: all('tf tvf -tf -tvf', 'read') }),
  reads('tar gtar bsdtar star', { reader: 'tar' }),
  writes('unsquashfs', 'does_unpacks_files', { options: { quiet: '-l -ll -lls -s -stat -cat' } }),
]
