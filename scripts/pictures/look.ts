/** Light and dark, in the colours of the pages at `/docs`. */
const light = {
  ink: '#1b1f24',
  quiet: '#57606a',
  paper: '#ffffff',
  soft: '#f4f6f8',
  line: '#8b96a1',
}
const dark = {
  ink: '#e6e9ec',
  quiet: '#9aa4ae',
  paper: '#14181c',
  soft: '#1d2329',
  line: '#7a8692',
}

const rules = ({ ink, quiet, paper, soft, line }: typeof light) =>
  `.paper{fill:${paper}}.shape rect{fill:${soft};stroke:${line}}.title{fill:${ink}}` +
  `.note,.label{fill:${quiet}}.way{stroke:${line}}.head{fill:${line}}`

/** Answers keep their colour in both: their words say the same. */
const answers =
  '.yes rect{stroke:#2da44e}.no rect{stroke:#d1504b}.ask rect{stroke:#bf8700}' +
  '.shape.any rect{stroke-dasharray:4 3}.shape.start rect{stroke-width:2.4}'

export const css =
  'text{font:13px system-ui,-apple-system,"Segoe UI",sans-serif;text-anchor:middle}' +
  '.title{font-weight:600}.note,.label{font-size:12px}' +
  '.way{fill:none;stroke-width:1.4;marker-end:url(#head)}.dotted{stroke-dasharray:3 4}' +
  `.shape rect{stroke-width:1.4}${rules(light)}` +
  `@media (prefers-color-scheme:dark){${rules(dark)}}${answers}`
