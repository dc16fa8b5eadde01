/**
 * For the pages at `/docs` and that of a login link: the colours and the font of the dashboard,
 * whose theme is a style sheet of its own.
 */
export const docStyle = `
@font-face { font-family: "Inter Variable"; font-display: swap; font-weight: 400 700;
  src: url("/font.woff2") format("woff2-variations");
  unicode-range: U+20-7E, U+A0, U+B0, U+B7, U+D7, U+2013-2014, U+2018-2019, U+201C-201D, U+2022,
    U+2026, U+20AC, U+2191, U+2193, U+2212; }
:root { color-scheme: light dark; --ink: #1a1f26; --quiet: #535c68; --paper: #ffffff;
  --soft: #f6f7f9; --line: #dde1e6; --link: #2257a8; --here: #e8effa; --name: #8a3b12;
  --text: #0b5a34; }
@media (prefers-color-scheme: dark) {
  :root { --ink: #e4e9ef; --quiet: #a2adb9; --paper: #0f1318; --soft: #161b21; --line: #2b333d;
    --link: #8db8ff; --here: #1b2a42; --name: #e5b083; --text: #8fd3a8; }
}
body { margin: 0; display: grid; grid-template-columns: 15rem minmax(0, 1fr); color: var(--ink);
  background: var(--paper); font: 15px/1.6 "Inter Variable", system-ui, sans-serif;
  font-feature-settings: "cv11", "ss03"; }
nav { padding: 1.2rem 1rem; background: var(--soft); border-right: 1px solid var(--line);
  font-size: 0.9rem; }
nav > p { margin-top: 0; font-weight: 600; } nav summary { display: none; cursor: pointer; }
nav details p { margin: 1.2rem 0.5rem 0.3rem; color: var(--quiet); font-size: 0.8rem;
  font-weight: 600; }
nav ul { margin: 0.4rem 0; }
nav details::details-content { content-visibility: visible; block-size: auto; }
nav ul { list-style: none; padding: 0; } nav li { margin: 0.1rem 0; }
nav li a { display: block; padding: 0.15rem 0.5rem; border-radius: 6px; color: var(--ink); }
nav a { text-decoration: none; } nav li a:hover { text-decoration: underline; }
nav li a[aria-current] { font-weight: 600; color: var(--link); background: var(--here); }
nav input { width: 100%; box-sizing: border-box; padding: 0.4rem; font: inherit;
  color: inherit; background: var(--paper); border: 1px solid var(--line); border-radius: 6px; }
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
  padding: 0.1rem 0.5rem; font: inherit; font-size: 0.8rem; color: var(--quiet);
  background: var(--paper); border: 1px solid var(--line); border-radius: 4px; cursor: pointer;
  opacity: 0; } .block:hover button, .block button:focus-visible { opacity: 1; }
@media (hover: none) { .block button { opacity: 1; } }
img { max-width: 100%; height: auto; } h1, h2, h3 { line-height: 1.25;
  letter-spacing: -0.01em; } h1 { font-size: 1.75rem; }
h2 { margin-top: 2.2rem; font-size: 1.25rem; }
h3 { font-size: 1.05rem; }
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
  main { padding: 1rem; } td code { overflow-wrap: anywhere; }
  .wide thead { display: none; } .wide tbody { display: block; }
  .wide tr { display: block; padding: 0.6rem 0; border-bottom: 1px solid var(--line); }
  .wide td { display: block; padding: 0.15rem 0; border: 0; }
  .wide td:empty { display: none; }
  .wide td::before { content: attr(data-column) ": "; color: var(--quiet); font-size: 0.9em; }
  .wide td:first-child { font-weight: 600; } .wide td:first-child::before { content: none; } }
`
