/** Expressions that are deep, long, greedy or odd, always the same. */
export function hostileExpressions(count: number): readonly string[] {
  const all: string[] = []
  for (let size = 1; all.length < count; size++) {
    for (const make of makers) if (all.length < count) all.push(make(size))
  }
  return all
}

const odd = ['\u0000', '\u202e', '\ud800', '\u{1f600}', '\u212a', '\ufeff', '`', '\\', '\n', '"']
const oddOne = (size: number) => odd[size % odd.length] ?? ''
const times = (text: string, size: number) => text.repeat(size)

const makers: readonly ((size: number) => string)[] = [
  (size) => `${times('(', size * 20)}true${times(')', size * 20)}`,
  (size) => `${times('!', size * 20)}true`,
  (size) => `${times('[', size * 20)}${times(']', size * 20)}`,
  (size) => `${times('-', size * 20)}1`,
  (size) => `args${times('.a', size * 20)}`,
  (size) => `args${times('[0]', size * 20)}`,
  (size) =>
    Array(size * 20)
      .fill('args.a')
      .join(' && '),
  (size) =>
    Array(size * 20)
      .fill('args.list')
      .join(' + '),
  (size) => `${times('true ? ', size * 10)}true${times(' : false', size * 10)}`,
  (size) => `args.list${times('.map(x, x)', size)}`,
  (size) => `${times('args.list.all(x, ', size)}true${times(')', size)}`,
  (size) => `args.list.all(x, args.list.exists(y, ${Array(size).fill('x == y').join(' && ')}))`,
  (size) =>
    `[args.list].map(x, ${Array(size * 4)
      .fill('x')
      .join(' + ')}).size() > 0`,
  (size) => `result.rows.all(x, result.rows.all(y, ${size} in args.list))`,
  (size) => `result.rows.exists(x, result.rows.exists(y, x.missing == y.missing + ${size}))`,
  (size) => `"${times('a', size * 100)}" == args.a`,
  (size) => `glob("${times('a/', size)}", "${times('**/', size)}b")`,
  (size) => `glob(task, "${times('*', size)}x")`,
  (size) => `glob(args.a, "${times('{a,b}', size)}")`,
  (size) => `mentions(task, "${times('o', size)}")`,
  (size) => `json("${times('[', size * 50)}")`,
  (size) => `host("https://${times('a.', size * 30)}com")`,
  (size) => `args.a == "${oddOne(size)}"`,
  (size) => `args.${oddOne(size)}a`,
  (size) => `${oddOne(size)}args.a`,
  (size) => `"${oddOne(size)}".contains("${oddOne(size + 1)}")`,
  (size) => `args.a.matches("(a+)+${times('$', size)}")`,
  (size) => `args["__proto__"]["constructor"]["prototype"] == ${size}`,
  (size) => `facts.map.constructor.constructor("return ${size}")()`,
  (size) => `cel.bind(x, args.list + args.list, x + x) == [${size}]`,
  (size) => `step_(${size}) || weigh_(args) == args`,
  (size) => `${size}${times('0', size * 5)} > 1`,
  (size) => `1e${size * 10} > 1.0 / 0.0`,
  (size) => `timestamp("${times('9', size)}-01-01T00:00:00Z") > now`,
  (size) =>
    `{${Array(size * 10)
      .fill('"a": 1')
      .join(', ')}} == {}`,
  (size) => `has(${times('args.', size * 5)}a)`,
  (size) => `// ${times('x', size)}\ntrue`,
  (size) => `args.list.map(all, all.all(exists, exists == ${size}))`,
  (size) => `${times(' ', size * 100)}`,
  (size) => `'''${times("'", size % 3)}${size}`,
]
