/**
 * How secrets look. Every pattern is bounded and begins with fixed text: the text is an agent's
 * and may be megabytes of whatever makes a pattern slow.
 */

/** Keys that tell by their own look what they are. */
const keys = [
  'sk-[A-Za-z0-9_-]{16,200}',
  '[sr]k_(?:live|test)_[A-Za-z0-9]{10,200}',
  'whsec_[A-Za-z0-9+/=]{16,200}',
  'gh[pousr]_[A-Za-z0-9]{20,255}',
  'github_pat_[A-Za-z0-9_]{20,255}',
  'gl(?:pat|dt|rt|cbt|ptt|ft|soat|agent)-[A-Za-z0-9_.-]{16,300}',
  'xox[abeprs][.-][A-Za-z0-9.-]{10,300}',
  'xapp-[A-Za-z0-9-]{20,200}',
  // The secret key often follows its id, and has no look of its own.
  'A(?:KI|SI)A[0-9A-Z]{16}(?:[\\s:,;"\'\\\\]{1,5}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+=]))?',
  'AIza[0-9A-Za-z_-]{30,60}',
  'ya29\\.[A-Za-z0-9_-]{20,500}',
  'npm_[A-Za-z0-9]{30,60}',
  'pypi-[A-Za-z0-9_-]{40,500}',
  'dckr_pat_[A-Za-z0-9_-]{20,60}',
  'hf_[A-Za-z0-9]{30,60}',
  'hvs\\.[A-Za-z0-9_-]{20,300}',
  'dop_v1_[a-f0-9]{40,80}',
  'shp(?:at|ca|pa|ss)_[a-fA-F0-9]{20,60}',
  'lin_api_[A-Za-z0-9]{20,60}',
  'SG\\.[A-Za-z0-9_-]{16,60}\\.[A-Za-z0-9_-]{16,80}',
  'AGE-SECRET-KEY-1[0-9A-Z]{50,60}',
  'GOCSPX-[A-Za-z0-9_-]{20,60}',
  'gl(?:sa|c)_[A-Za-z0-9_]{20,200}',
  'sntry[su]_[A-Za-z0-9_=+/-]{20,400}',
  'figd_[A-Za-z0-9_-]{20,100}',
  'ntn_[A-Za-z0-9]{20,100}',
  'dapi[a-f0-9]{32}',
  'PMAK-[A-Za-z0-9-]{20,100}',
  'NR(?:AK|JS|IQ)-[A-Za-z0-9-]{20,60}',
  'sbp_[a-f0-9]{32,60}',
  'dp\\.(?:pt|st|ct|sa)\\.[A-Za-z0-9._-]{20,100}',
  'AT(?:ATT3x|CTT3x|BB)[A-Za-z0-9_=-]{20,300}',
  'gsk_[A-Za-z0-9]{20,100}',
  '(?:pplx|xai)-[A-Za-z0-9]{20,100}',
  'r8_[A-Za-z0-9]{20,60}',
  're_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,40}',
  'rubygems_[a-f0-9]{32,80}',
  'sq0[a-z]{3}-[A-Za-z0-9_-]{20,60}',
  'key-[0-9a-f]{32}',
  'nfp_[A-Za-z0-9]{30,60}',
  'eyJ[A-Za-z0-9_-]{10,2000}\\.[A-Za-z0-9_-]{10,4000}\\.[A-Za-z0-9_-]{5,1000}',
  'sw_[a-z]{1,20}_[A-Za-z0-9_-]{20,200}',
]

/** Names whose value is a secret: the last word of a variable, a field, an option. */
const names =
  'secret(?:[_-]?(?:access[_-]?)?key)?|token|passw(?:or)?d|passphrase|api[_-]?key' +
  '|(?:access|account|private)[_-]?key|client[_-]?secret|mysql[_-]?pwd'

/** What stands for a value in code and templates: a variable, a call, a type, a question. */
const noValue =
  '(?![$<{(*[]|(?:string|number|boolean|null|undefined|true|false|none)\\b' +
  '|(?:[A-Za-z_]{1,60}\\.){1,8}[A-Za-z_]{1,60}(?![\\w.-]))'
/** A value in one word. A dot or bracket behind it would make it code: `token = config.token`. */
const value = '[^\\s"\'\\\\,;&|(){}\\[\\]<>$`]{6,500}(?![\\w(.[])'
const open = '\\\\{0,3}["\']?'

export const hidesSecrets = {
  /**
   * Nearly no text holds a secret: what every shape below begins with, also where the text stands
   * in JSON. A few small patterns take half the time of one large one that ignores case.
   */
  quickLooks: [
    /sk-|k_live_|k_test_|gh[pousr]_|github_pat_|xox|AKIA|AIza|npm_|eyJ|sw_|PRIVATE KEY/,
    /ASIA|ya29|SG\.|AGE-SECRET|hvs\.|:\/\//,
    /whsec_|dckr_pat_|hf_|dop_v1_|shp[a-z]{2}_|lin_api_/,
    /gl[a-z]{2,5}-|xapp-|pypi-/,
    /GOCSPX|gl(?:sa|c)_|sntry[su]_|figd_|ntn_|dapi|PMAK|NR(?:AK|JS|IQ)-|sbp_|dp\.[cps]/,
    /ATATT|ATCTT|ATBB|gsk_|pplx-|xai-|r8_|re_\w{8}_|rubygems_|sq0|key-[0-9a-f]|nfp_/,
    /sshpass|mysql|-u\W|--user|curl|redis-cli|login|pass:|_auth|auth\W|pwd/i,
    /secret|token|passw|passphrase|authorization|cookie/i,
    /(?:api|access|account|private)[_-]?key/i,
  ],
  /** Replaced as a whole. */
  whole: [
    new RegExp(`\\b(?:${keys.join('|')})`, 'g'),
    /-----BEGIN [A-Z ]{0,40}PRIVATE KEY[A-Z ]{0,9}-----[\s\S]*?(?:-----END [A-Z ]{0,60}-----|$)/g,
  ],
  /** The first group stays. */
  led: [
    // NAME=value, "name": "value", --name=value, name: value
    new RegExp(`((?:${names})${open}\\s{0,3}(?:=|:)\\s{0,3}${open})${noValue}${value}`, 'gi'),
    // --name value
    new RegExp(`(--?[\\w-]{0,30}(?:${names})\\s{1,3}${open})(?!-)${noValue}${value}`, 'gi'),
    // config set name value
    new RegExp(
      `(\\bset\\s{1,3}[\\w./:-]{0,80}(?:${names})\\s{1,3}${open})(?!-)${noValue}${value}`,
      'gi',
    ),
    // scheme://user:secret@host
    /(:\/\/[^\s/@:"']{0,100}:)(?![${<])[^\s/@"']{1,300}(?=@)/g,
    // Authorization: Bearer value
    new RegExp(
      `(authorization${open}\\s{0,3}[:=]\\s{0,3}${open}(?:bearer|basic|token|digest)?\\s{0,3})` +
        '(?![<{$])[^\\s"\'\\\\$]{6,4000}',
      'gi',
    ),
    /(\bcookie["']?\s{0,3}[:=]\s{0,3}["']?)(?![${<])[^\s"'\\$=]{1,100}=[^"'\\\n]{1,4000}/gi,
    // Addresses that anybody may write to who knows them.
    /(hooks\.slack\.com\/(?:services|workflows)\/)[\w/-]{20,200}/g,
    /(discord(?:app)?\.com\/api\/webhooks\/\d{5,30}\/)[\w-]{20,200}/g,
    /(api\.telegram\.org\/bot)\d{5,15}:[\w-]{20,60}/g,
    // Files of curl, npm and docker, and strings that connect to a database.
    /(\blogin\s{1,3}\S{1,100}\s{1,3}password\s{1,3})[^\s"'$]{1,200}/g,
    /(\b_auth\s{0,3}=\s{0,3}["']?)[A-Za-z0-9+/=]{8,500}/g,
    /(\bauth\\{0,3}"\s{0,3}:\s{0,3}\\{0,3}")[A-Za-z0-9+/=]{8,1000}/g,
    /(;\s{0,2}pwd\s{0,2}=\s{0,2})[^\s;"'$]{1,200}/gi,
    // What programs take a password by.
    /(\s--oauth2-bearer[\s=]{1,3}["']?)(?![$<])[^\s"']{6,4000}/g,
    /(\bcurl\b[^\n|;&]{0,300}?\s(?:-b|--cookie)[\s=]{1,3}["']?)(?![$<])[^\s"'$=]{1,99}=[^"'\n]+/g,
    /(\bredis-cli\b[^\n|;&]{0,300}?\s(?:-a|--pass)\s{1,3}["']?)(?![$<-])[^\s"']{1,200}/g,
    /(\b(?:docker|podman|helm|az|oc) [\w ]{0,40}login[^\n|;&]{0,99} -p ?["']?)(?![$<-])[^\s"']+/g,
    /(\s-pass(?:in|out)?\s{1,3}["']?pass:)(?![$<])[^\s"']{1,200}/g,
    /(\bsshpass\s{1,3}-p\s{0,3}["']?)(?![$<])[^\s"']{1,200}/g,
    /(\bmysql[a-z]{0,10}\b[^\n|;&]{0,300}?\s-p)(?![$<\s])[^\s"']{1,200}/g,
    /((?:\s-u|\s--user)[\s=]{1,3}["']?[^\s:"'$]{1,100}:)(?![$<])[^\s"']{1,200}/g,
  ],
} as const

/** A field with this name holds a secret, whatever it looks like. */
export const secretName = new RegExp(
  `(?:^|[_-])(?:${names})$|[a-z](?:Secret|Token|Password|ApiKey)$`,
  'i',
)
