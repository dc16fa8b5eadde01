import type { ProgramEntry } from '../programs/entry.ts'
import { reads } from './shape.ts'

/** Programs that look into compiled files. `@file` holds options of each of them. */
export const binary: readonly ProgramEntry[] = [
  reads('strings', {
    readsLists: true,
    options: { flag: '-a --all -f -n: --bytes: -t: --radix: -w -o -e: --encoding: -U: -s: -#' },
  }),
  reads('nm', {
    readsLists: true,
    options: {
      load: '--plugin:',
      flag:
        '-a --debug-syms -A --print-file-name -B -C --demangle? --no-demangle -D --dynamic -e ' +
        '-f: --format: -g --extern-only -j --just-symbols -l --line-numbers -n -v ' +
        '--numeric-sort -o -p --no-sort -P --portability -r --reverse-sort -S --print-size -s ' +
        '--print-armap --quiet --size-sort --special-syms --synthetic -t: --radix: --target: ' +
        '-u --undefined-only -U --defined-only --unicode: -W --no-weak --with-symbol-versions',
    },
  }),
  reads('objdump', {
    readsLists: true,
    options: {
      flag:
        '-a --archive-headers -f --file-headers -p --private-headers -h --headers ' +
        '--section-headers -x --all-headers -d --disassemble? -D --disassemble-all ' +
        '-s --full-contents -g --debugging -e -G --stabs -t --syms -T --dynamic-syms -r ' +
        '--reloc -R --dynamic-reloc -i --info -b: --target: -m: --architecture: -j: --section: ' +
        '-M: --disassembler-options: -l --line-numbers -F --file-offsets -C --demangle? -w ' +
        '--wide -z --disassemble-zeroes --start-address: --stop-address: --no-show-raw-insn ' +
        '--show-raw-insn --no-addresses --prefix-addresses --insn-width: --inlines',
    },
  }),
  reads('readelf', {
    readsLists: true,
    options: {
      flag:
        '-a --all -h --file-header -l --program-headers --segments -S --section-headers ' +
        '--sections -g --section-groups -t --section-details -e --headers -s --syms --symbols ' +
        '--dyn-syms -C --demangle? -n --notes -r --relocs -u --unwind -d --dynamic -V ' +
        '--version-info -A --arch-specific -c --archive-index -D --use-dynamic -x: --hex-dump: ' +
        '-p: --string-dump: -R: -z --decompress -I --histogram -W --wide -T',
    },
  }),
  reads('size', {
    readsLists: true,
    options: { flag: '-A -B -G -o -d -x -t --format: --radix: --common --totals' },
  }),
  // It starts the program's own loader, which the file names.
  reads('addr2line', {
    readsLists: true,
    options: { flag: '-a -b: -e: --exe: -f -s -C? -i -p -j:' },
  }),
  reads('c++filt', { readsLists: true, options: { flag: '-_ -n -p -t -i -s:' } }),
]
