import type { Reader } from '../programs/apply.ts'
import { readAwk } from './awk.ts'
import { readFind } from './find.ts'
import { readGit, readGitConfig } from './git.ts'
import {
  readJavaScript,
  readJavaScriptOperand,
  readOtherLanguage,
  readPerl,
  readPhp,
  readPython,
  readRuby,
} from './languages.ts'
import {
  readAws,
  readCargoFmt,
  readCmake,
  readCurl,
  readDc,
  readDd,
  readJq,
  readLess,
  readMake,
  readNpmRun,
  readOpaque,
  readSsh,
  readTsc,
} from './misc.ts'
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
  ['dc', readDc],
  ['dd', readDd],
  ['env', readEnv],
  ['fd', readFd],
  ['find', readFind],
  ['flock', readFlock],
  ['git', readGit],
  ['git-config', readGitConfig],
  ['javascript', readJavaScript],
  ['javascript-operand', readJavaScriptOperand],
  ['jq', readJq],
  ['less', readLess],
  ['make', readMake],
  ['npm-run', readNpmRun],
  ['opaque', readOpaque],
  ['other-language', readOtherLanguage],
  ['other-shell', readOtherShell],
  ['perl', readPerl],
  ['php', readPhp],
  ['printenv', readPrintenv],
  ['ps', readPs],
  ['python', readPython],
  ['ruby', readRuby],
  ['sed', readSed],
  ['shell', readShell],
  ['sql', readSql],
  ['ssh', readSsh],
  ['tar', readTar],
  ['tsc', readTsc],
  ['xargs', readXargs],
])
