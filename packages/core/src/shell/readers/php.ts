import { judgeOther } from './ruby.ts'
import { type CodeVerdict, harmless } from './verdict.ts'

/** Words of php that only compute, read and print. None of them calls a function by its name. */
const known = new Set(
  (
    'echo print print_r var_dump var_export printf sprintf json_encode json_decode count strlen ' +
    'file_get_contents file file_exists is_file is_dir filesize filemtime basename dirname ' +
    'realpath scandir glob phpversion php_uname php_sapi_name PHP_VERSION PHP_OS PHP_EOL ' +
    'PHP_INT_MAX implode explode join array_keys array_values array_sum array_slice array_merge ' +
    'array_unique in_array range max min round floor ceil abs sqrt pow intdiv date time mktime ' +
    'strtotime microtime md5 sha1 hash crc32 base64_encode base64_decode bin2hex strtoupper ' +
    'strtolower ucfirst trim str_replace str_repeat str_pad substr strpos str_contains ' +
    'extension_loaded get_loaded_extensions class_exists function_exists ini_get ' +
    'memory_get_usage ' +
    'JSON_PRETTY_PRINT JSON_UNESCAPED_SLASHES true false null TRUE FALSE NULL array foreach as ' +
    'if else elseif for while isset empty int string float bool return'
  ).split(' '),
)

/** Judges a php program by its words; what is not on the list is not read here. */
export function judgePhp(source: string): CodeVerdict {
  const base = judgeOther(source)
  if (base.opaque === null || base.environment !== null) return base
  // Backticks run programs, and braces in a string can call methods.
  if (/[`\\]|\{\$|\$\{|<<<|\$\$|->|::/.test(source)) return base
  const code = source.replace(/'[^']*'|"[^"]*"/g, '0')
  if (/['"#]|\/\/|\/\*|\$\w+\s*\(|[)\]}0]\s*\(/.test(code)) return base
  const words = code.match(/(?<![\w$])[A-Za-z_]\w*/g) ?? []
  return words.every((word) => known.has(word)) ? harmless : base
}
