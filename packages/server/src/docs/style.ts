/** For the pages at `/docs` and that of a login link. */
export const docStyle = `
:root { color-scheme: light dark; --ink: #1b1f24; --quiet: #57606a; --paper: #ffffff;
  --soft: #f4f6f8; --line: #d5dbe1; --link: #0a58ca; --name: #8a3b12; --text: #0b5a34; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6e9ec; --quiet: #9aa4ae; --paper: #14181c; --soft: #1d2329; --line: #323a42;
    --link: #7ab3ff; --name: #e5b083; --text: #8fd3a8; }
}
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 16px/1.6 system-ui, sans-serif; }
nav { padding: 1.5rem; border-right: 1px solid var(--line); font-size: 0.9rem; }
nav > p { margin-top: 0; font-weight: 600; } nav summary { display: none; cursor: pointer; }
nav details p { margin: 1.2rem 0 0.3rem; color: var(--quiet); font-size: 0.8rem; font-weight: 600; }
nav ul { margin: 0.4rem 0; }
nav details::details-content { content-visibility: visible; block-size: auto; }
nav ul { list-style: none; padding: 0; } nav li { margin: 0.35rem 0; }
nav a { text-decoration: none; } nav a[aria-current] { font-weight: 600; color: var(--ink); }
nav input { width: 100%; box-sizing: border-box; padding: 0.4rem; font: inherit;
  color: inherit; background: var(--soft); border: 1px solid var(--line); border-radius: 4px; }
main { padding: 1.5rem 2.5rem 4rem; max-width: 52rem; }
a { color: var(--link); } pre { background: var(--soft); padding: 0.9rem; overflow-x: auto;
  border-radius: 6px; } code { font: 0.9em ui-monospace, monospace; }
:not(pre) > code { background: var(--soft); padding: 0.1em 0.3em; border-radius: 3px;
  overflow-wrap: anywhere; }
table { border-collapse: collapse; display: block; overflow-x: auto; }
th, td { text-align: left; padding: 0.35rem 0.7rem; border-bottom: 1px solid var(--line);
  vertical-align: top; min-width: 4.5rem; }
td code { overflow-wrap: normal; }
pre code { font-size: 0.84rem; }
.neighbours { display: flex; flex-wrap: wrap; gap: 0.5rem 2rem; justify-content: space-between; }
pre .c { color: var(--quiet); } pre .k { color: var(--name); } pre .s { color: var(--text); }
pre .p { color: var(--quiet); user-select: none; } pre .t { font-weight: 600; }
.block { position: relative; } .block button { position: absolute; top: 0.4rem; right: 0.4rem;
  padding: 0.1rem 0.5rem; font: 0.8rem system-ui, sans-serif; color: var(--quiet);
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer;
  opacity: 0; } .block:hover button, .block button:focus-visible { opacity: 1; }
@media (hover: none) { .block button { opacity: 1; } }
img { max-width: 100%; height: auto; } h1, h2 { line-height: 1.25; }
.login { display: block; } .login main { max-width: 28rem; margin: 8vh auto 0; }
.login label { font-weight: 600; } .login small { color: var(--quiet); }
.login input { width: 100%; box-sizing: border-box; padding: 0.5rem; margin: 0.3rem 0;
  font: inherit; color: inherit; background: var(--soft);
  border: 1px solid var(--line); border-radius: 4px; }
.login button { padding: 0.5rem 1.2rem; font: inherit; font-weight: 600; color: var(--paper);
  background: var(--link); border: 0; border-radius: 4px; cursor: pointer; }
@media (max-width: 46rem) { body { grid-template-columns: minmax(0, 1fr); }
  nav { border-right: 0; border-bottom: 1px solid var(--line); padding: 0.8rem 1rem; }
  nav > p { margin: 0 0 0.4rem; } nav summary { display: list-item; }
  nav details:not([open])::details-content { content-visibility: hidden; block-size: 0; }
  main { padding: 1rem; } }
`
