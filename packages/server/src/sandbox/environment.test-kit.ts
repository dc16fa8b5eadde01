/** Variables around a server that no child of it may be given, whatever it is. */
export const secretVariables = {
  STATEWRIGHT_TOKEN: 't',
  DATABASE_URL: 's',
  BASH_ENV: '/tmp/x',
  ENV: '/tmp/x',
  'BASH_FUNC_ls%%': '() { x; }',
  PROMPT_COMMAND: 'x',
  LD_PRELOAD: '/tmp/x.so',
  DYLD_INSERT_LIBRARIES: '/tmp/x.so',
  NODE_OPTIONS: '--require /tmp/x',
  SOME_API_KEY: 'k',
} as const
