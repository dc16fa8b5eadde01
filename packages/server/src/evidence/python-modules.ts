/**
 * Modules that Python's test runners load. With `-m` the folder where Python is started comes
 * first: a file of such a name there runs instead, and may end with success before any test.
 */
export const pythonModules: readonly string[] = (
  'abc argparse ast asyncio atexit base64 bdb bisect calendar cmd code codecs codeop collections ' +
  'concurrent configparser contextlib contextvars copy copyreg csv dataclasses datetime decimal ' +
  'difflib dis doctest email encodings enum errno faulthandler fnmatch fractions functools gc ' +
  'genericpath getopt gettext glob hashlib heapq hmac html http importlib inspect io itertools ' +
  'json keyword linecache locale logging math mimetypes numbers opcode operator optparse os ' +
  'pathlib pdb pickle pkgutil platform posixpath pprint queue random re reprlib resource runpy ' +
  'secrets select selectors shlex shutil signal site sitecustomize socket sre_compile ssl stat ' +
  'statistics string struct subprocess sysconfig tempfile textwrap threading time timeit token ' +
  'tokenize tomllib trace traceback types typing unicodedata unittest urllib usercustomize uuid ' +
  'warnings weakref xml zipfile zipimport zlib _pytest attr coverage exceptiongroup hypothesis ' +
  'iniconfig mock packaging pluggy py pytest tomli typing_extensions'
).split(' ')
