import type { Reader } from '../programs/call.ts'
import { readAwk } from './awk.ts'
import { readCurl } from './curl.ts'
import { readFind } from './find.ts'
import { readGit, readGitConfig } from './git.ts'
import {
  readAws,
  readCargoFmt,
  readCmake,
  readDd,
  readInPlace,
  readJq,
  readLess,
  readMake,
  readNpmRun,
  readOnlyChecks,
  readOpaque,
  readSsh,
  readTsc,
} from './misc.ts'
import { readPython } from './python.ts'
import { readSed } from './sed.ts'
import { readOtherShell, readShell } from './shells.ts'
import { readSql } from './sql.ts'
import { readEnv, readFd, readFlock, readPrintenv, readPs, readXargs } from './starters.ts'
import { readTar } from './tar.ts'

/** Readers by the names that entries give them. */
export const readers: ReadonlyMap<string, Reader> = new Map<string, Reader>([
  ['awk', readAwk],
  ['aws', readAws],
  ['cargo-fmt', readCargoFmt],
  ['cmake', readCmake],
  ['curl', readCurl],
  ['dd', readDd],
  ['env', readEnv],
  ['fd', readFd],
  ['find', readFind],
  ['flock', readFlock],
  ['git', readGit],
  ['git-config', readGitConfig],
  ['jq', readJq],
  ['less', readLess],
  ['make', readMake],
  ['only-checks', readOnlyChecks],
  ['in-place', readInPlace],
  ['npm-run', readNpmRun],
  ['opaque', readOpaque],
  ['other-shell', readOtherShell],
  ['printenv', readPrintenv],
  ['ps', readPs],
  ['python', readPython],
  ['sed', readSed],
  ['shell', readShell],
  ['sql', readSql],
  ['ssh', readSsh],
  ['tar', readTar],
  ['tsc', readTsc],
  ['xargs', readXargs],
])
