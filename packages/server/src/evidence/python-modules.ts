/**
 * Modules that Python's test runners load. With `-m` the folder where Python is started comes
 * first: a file of such a name there runs instead, and may end with success before any test.
 */
export const pythonModules: readonly string[] = (
  '__future__ _abc _aix_support _ast _asyncio _bisect _blake2 _bootsubprocess _bz2 _codecs ' +
  '_codecs_cn _codecs_hk _codecs_iso2022 _codecs_jp _codecs_kr _codecs_tw _collections ' +
  '_collections_abc _compat_pickle _compression _contextvars _crypt _csv _ctypes _curses ' +
  '_curses_panel _datetime _dbm _decimal _elementtree _frozen_importlib ' +
  '_frozen_importlib_external _functools _gdbm _hashlib _heapq _imp _io _json _locale ' +
  '_lsprof _lzma _markupbase _md5 _msi _multibytecodec _multiprocessing _opcode _operator ' +
  '_osx_support _overlapped _pickle _posixshmem _posixsubprocess _py_abc _pydecimal _pyio ' +
  '_pytest _queue _random _scproxy _sha1 _sha256 _sha3 _sha512 _signal _sitebuiltins ' +
  '_socket _sqlite3 _sre _ssl _stat _statistics _string _strptime _struct _symtable ' +
  '_thread _threading_local _tkinter _tokenize _tracemalloc _typing _uuid _warnings ' +
  '_weakref _weakrefset _winapi _zoneinfo abc aifc argparse array ast asynchat asyncio ' +
  'asyncore atexit attr audioop base64 bdb binascii bisect builtins bz2 calendar cgi cgitb ' +
  'chunk cmath cmd code codecs codeop collections colorsys compileall concurrent ' +
  'configparser contextlib contextvars copy copyreg coverage cProfile crypt csv ctypes ' +
  'curses dataclasses datetime dbm decimal difflib dis distutils doctest email encodings ' +
  'ensurepip enum errno exceptiongroup faulthandler fcntl filecmp fileinput fnmatch ' +
  'fractions ftplib functools gc genericpath getopt getpass gettext glob graphlib grp gzip ' +
  'hashlib heapq hmac html http hypothesis imaplib imghdr imp importlib iniconfig inspect ' +
  'io ipaddress itertools json keyword linecache locale logging lzma mailbox mailcap ' +
  'marshal math mimetypes mmap mock modulefinder msilib msvcrt multiprocessing netrc nis ' +
  'nntplib nt ntpath nturl2path numbers opcode operator optparse os ossaudiodev packaging ' +
  'pathlib pdb pickle pickletools pipes pkgutil platform plistlib pluggy poplib posix ' +
  'posixpath pprint profile pstats pty pwd py py_compile pyclbr pydoc pydoc_data pyexpat ' +
  'pytest queue quopri random re readline reprlib resource rlcompleter runpy sched secrets ' +
  'select selectors shelve shlex shutil signal site sitecustomize smtpd smtplib sndhdr ' +
  'socket socketserver spwd sqlite3 sre_compile sre_constants sre_parse ssl stat ' +
  'statistics string stringprep struct subprocess sunau symtable sys sysconfig syslog ' +
  'tabnanny tarfile telnetlib tempfile termios textwrap threading time timeit token ' +
  'tokenize tomli tomllib trace traceback tracemalloc tty types typing typing_extensions ' +
  'unicodedata unittest urllib usercustomize uu uuid venv warnings wave weakref webbrowser ' +
  'winreg winsound wsgiref xdrlib xml xmlrpc zipapp zipfile zipimport zlib zoneinfo'
).split(' ')
