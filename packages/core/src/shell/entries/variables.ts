/**
 * What a variable means to the programs that read it.
 * `command`: a command line that is run; `file`: a file whose code is run; `output`: a file that
 * is written; `options`: options of which `danger` can load code; `path`: folders searched for
 * programs; `prompt`: text that is expanded when it is shown; `search`: folders or switches that
 * merely change which code is found.
 */
export interface CodeVariable {
  readonly holds: 'command' | 'file' | 'output' | 'options' | 'path' | 'prompt' | 'search'
  readonly danger?: RegExp
  /** What stands in front of the command in the value, such as the bar of LESSOPEN. */
  readonly strip?: RegExp
}

const command: CodeVariable = { holds: 'command' }
const file: CodeVariable = { holds: 'file' }
const output: CodeVariable = { holds: 'output' }
const search: CodeVariable = { holds: 'search' }

function named(names: string, variable: CodeVariable): [string, CodeVariable][] {
  return names.split(' ').map((name) => [name, variable])
}

const loadsNode = /(?:^|\s)(?:-r|--require|--import|--loader|--experimental-loader|-e|--eval|-p)\b/
const loadsCode = /(?:^|\s)-[^-\s]*[rIMmeEx]|--/
const loadsJava =
  /-(?:javaagent|agentlib|agentpath|XX:OnError|XX:OnOutOfMemoryError|Xbootclasspath)/

/** Variables by which an agent can make an allowed program run other code. */
export const codeVariables: {
  readonly exact: ReadonlyMap<string, CodeVariable>
  readonly prefixes: readonly (readonly [string, CodeVariable])[]
} = {
  exact: new Map<string, CodeVariable>([
    ['PATH', { holds: 'path' }],
    ...named(
      'PAGER GIT_PAGER MANPAGER SYSTEMD_PAGER AWS_PAGER GH_PAGER BAT_PAGER LESSEDIT',
      command,
    ),
    ...named('PSQL_PAGER DELTA_PAGER PSQL_EDITOR BUNDLER_EDITOR KUBE_EDITOR GH_EDITOR', command),
    ...named('EDITOR VISUAL FCEDIT GIT_EDITOR GIT_SEQUENCE_EDITOR SVN_EDITOR HGEDITOR', command),
    ...named(
      'BROWSER GH_BROWSER MANROFFSEQ TEXINPUTS_EDIT SUDO_EDITOR KUBECTL_EXTERNAL_DIFF',
      command,
    ),
    ...named('GIT_SSH GIT_SSH_COMMAND GIT_PROXY_COMMAND GIT_EXTERNAL_DIFF GIT_ASKPASS', command),
    ...named('SSH_ASKPASS SUDO_ASKPASS RSYNC_RSH CVS_RSH SVN_SSH HGMERGE', command),
    ...named('PS0 PS1 PS2 PS3 PS4', { holds: 'prompt' }),
    ...named('PROMPT_COMMAND npm_config_script_shell npm_config_git npm_config_editor', command),
    ...named('npm_config_node_options npm_config_userconfig npm_config_globalconfig', file),
    ...named('LESSOPEN LESSCLOSE', { holds: 'command', strip: /^\|*-?/ }),
    ...named('FZF_DEFAULT_COMMAND FZF_CTRL_T_COMMAND MAILCAPS RIPGREP_PREPROCESSOR', command),
    ...named('RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER RUSTC RUSTDOC CARGO_BUILD_RUSTC', command),
    ...named('CC CXX LD AR AS FC CPP MAKE SHELLCHECK_OPTS CMAKE_C_COMPILER', command),
    ...named('TAR_OPTIONS GREP_OPTIONS LESS MORE MANOPT UNZIP ZIPOPT GZIP', {
      holds: 'options',
      danger: /--?(?:to-command|checkpoint-action|use-compress-program|pager|log|T|I|o|O)|[+!]/,
    }),
    ...named('BASH_ENV ENV PYTHONSTARTUP PYTHONHOME PYTHONINSPECT PYTEST_PLUGINS LUA_INIT', file),
    ...named('MAKEFILES INPUTRC GCONV_PATH GEM_HOME BUNDLE_GEMFILE RIPGREP_CONFIG_PATH', file),
    ...named('ZDOTDIR PHPRC PHP_INI_SCAN_DIR PERL5DB CURL_HOME WGETRC SYSTEM_WGETRC', file),
    ...named('BASH_ALIASES BASH_CMDS GIT_ALLOW_PROTOCOL LESSKEY LESSKEYIN', file),
    ...named('LESSKEY_SYSTEM LESSKEYIN_SYSTEM', file),
    ...named('BASHOPTS SHELLOPTS VIMINIT EXINIT GVIMINIT NETRC SCREENRC JUPYTER_CONFIG_DIR', file),
    ...named('DOCKER_HOST DOCKER_CONFIG KUBECONFIG OPENSSL_CONF NODE_EXTRA_CA_CERTS', search),
    ...named(
      'PYTHONPATH PERL5LIB PERLLIB RUBYLIB GEM_PATH NODE_PATH CLASSPATH GOPATH GOROOT',
      search,
    ),
    ...named(
      'PYTHONUSERBASE PYTHONPYCACHEPREFIX PYTHONEXECUTABLE GOBIN GOPROXY GOTOOLCHAIN',
      search,
    ),
    ...named('CDPATH FPATH HOME SHELL XDG_CONFIG_HOME XDG_CONFIG_DIRS CARGO_HOME', search),
    ...named(
      'RUSTUP_TOOLCHAIN RUSTUP_HOME RUSTFLAGS CFLAGS CXXFLAGS LDFLAGS COVERAGE_RCFILE',
      search,
    ),
    ...named(
      'COVERAGE_PROCESS_START MYPYPATH TOX_TESTENV_PASSENV PIPENV_PIPFILE VIRTUAL_ENV',
      search,
    ),
    ...named('NODE_OPTIONS', { holds: 'options', danger: loadsNode }),
    ...named('PYTEST_ADDOPTS', { holds: 'options', danger: /(?:^|\s)(?:-p|-c|--rootdir|-o)/ }),
    ...named('PERL5OPT RUBYOPT', { holds: 'options', danger: loadsCode }),
    ...named('JAVA_TOOL_OPTIONS JDK_JAVA_OPTIONS _JAVA_OPTIONS MAVEN_OPTS MAVEN_ARGS', {
      holds: 'options',
      danger: loadsJava,
    }),
    ...named('GRADLE_OPTS JAVA_OPTS SBT_OPTS', { holds: 'options', danger: loadsJava }),
    ...named('GOFLAGS', { holds: 'options', danger: /-(?:toolexec|exec|overlay|modfile)/ }),
    ...named('MAKEFLAGS GNUMAKEFLAGS MFLAGS', { holds: 'options', danger: /-[fICE]|=|--/ }),
    ...named('LD_PRELOAD LD_AUDIT DYLD_INSERT_LIBRARIES', file),
    ...named('GIT_TRACE GIT_TRACE2 GIT_TRACE2_EVENT GIT_TRACE2_PERF', output),
    ...named('GIT_TRACE_PERFORMANCE HISTFILE NODE_REDIRECT_WARNINGS NODE_COMPILE_CACHE', output),
    ...named('GIT_TRACE_PACKET GIT_TRACE_SETUP GIT_TRACE_CURL GIT_TRACE_PACK_ACCESS', output),
    ...named('GIT_TRACE_PACKFILE GIT_TRACE_REFS GIT_TRACE_SHALLOW GIT_TRACE_FSMONITOR', output),
    ...named('SSLKEYLOGFILE MALLOC_TRACE LD_DEBUG_OUTPUT NODE_V8_COVERAGE COVERAGE_FILE', output),
    ...named('GIT_CONFIG_PARAMETERS GIT_EXEC_PATH GIT_TEMPLATE_DIR', file),
  ]),
  prefixes: [
    ['GIT_CONFIG_', { holds: 'file' }],
    ['GIT_', search],
    ['LD_', search],
    ['DYLD_', search],
    ['npm_config_', search],
    ['NPM_CONFIG_', search],
    ['YARN_', search],
    ['npm_', search],
    ['PNPM_', search],
    ['PIP_', search],
    ['UV_', search],
    ['RUSTC', command],
    ['CARGO_BUILD_', command],
    ['CARGO_TARGET_', search],
    ['BASH_FUNC_', { holds: 'file' }],
    ['PYTEST_', search],
    ['BUNDLE_', search],
    ['TS_NODE_', search],
    ['JEST_', search],
    ['LESS', search],
  ],
}
