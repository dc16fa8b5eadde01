import { phrase } from '../../base/text/phrase.ts'
import { type CodeVerdict, harmless } from './verdict.ts'

const rubyWords = new Set(
  (
    'puts print p pp if unless while until end do then else elsif each map select reject sort ' +
    'sort_by join split gsub sub upcase downcase strip chomp to_s to_i to_f size ' +
    'length first last ' +
    'sum min max uniq reverse include keys values times upto RUBY_VERSION ' +
    'RUBY_PLATFORM nil true ' +
    'false and or not require json JSON parse File read readlines exist basename ' +
    'dirname Dir glob ' +
    'STDIN gets x i n k v a b s t f line l _ STDOUT Time now strftime Math sqrt ' +
    'inject reduce count yaml YAML load_file safe_load'
  ).split(' '),
)

/** Only plain computing and printing is known to be harmless in ruby. */
export function judgeRuby(source: string): CodeVerdict {
  const variables: string[] = []
  const use = /\bENV(?:\.fetch\(|\[)\s*(['"])(\w+)\1\s*[\])]/g
  const rest = source.replace(use, (_use, _quote, name: string) => {
    variables.push(name)
    return 'x'
  })
  return { ...judgeRest(rest), variables }
}

function judgeRest(source: string): CodeVerdict {
  const base = judgeOther(source)
  if (base.opaque === null && base.environment === null && base.unclear === null) return base
  if (/[`%\\]|#\{|\|\s*\w+\s*\(|&/.test(source) || base.environment !== null) return base
  const code = source
    .replace(/'[^']*'|"[^"]*"/g, '0')
    .replace(/(?<=(?:^|[(,~]|\b(?:if|unless|and|or|not))\s*)\/[^/\n]*\/[imx]*/g, '0')
  if (/\brequire\b/.test(code) && /['"]\.*\//.test(source)) return base
  const unknown = [...code.matchAll(/[A-Za-z_]\w*/g)].find(([name]) => !rubyWords.has(name))
  const reading = /File\s*\.\s*(?!read\b|readlines\b|exist\b|basename\b|dirname\b)/.test(code)
  return unknown === undefined && !reading ? harmless : base
}

/** Words that print, in one language or another. */
const printing = new Set(
  (
    'puts print p say printf println echo cat writeLines display io write PHP_VERSION PHP_OS ' +
    'PHP_EOL _VERSION math sqrt pi floor R version nil null true false'
  ).split(' '),
)

/**
 * Languages that are not read here: printing a literal or a sum is harmless, and the rest is not
 * known. What speaks of the environment or of programs says so.
 */
export function judgeOther(source: string): CodeVerdict {
  const reads = /env/i.test(source) || /\$_SERVER|phpinfo|\/proc\//.test(source)
  const environment = reads ? phrase('sh_code_reads_environment') : null
  if (!reads && onlyPrints(source)) return harmless
  return { ...harmless, environment, opaque: phrase('sh_code_not_read_here_may') }
}

function onlyPrints(source: string): boolean {
  if (!/^[\w\s.,:!?+*/%()'";-]*$/.test(source)) return false
  const code = source.replace(/'[^']*'|"[^"]*"/g, '0')
  // Some languages call a string, or the result of a call, like a function.
  if (/['"]|[)0]\s*\(/.test(code)) return false
  const words = code.match(/[A-Za-z_]\w*/g) ?? []
  return words.every((word) => printing.has(word))
}
