import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const states = `
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
const bank = `
id: bank
initial: working
facts:
  balance:
    from: mcp__bank__get_balance
    key: args.account
    value: result.balance
    forget_on: [mcp__bank__transfer, mcp__bank__close]
calls:
  mcp__bank__transfer:
    - require: args.amount <= facts.balance[args.from]
      message: Read the balance first.
${states}`
const get = 'mcp__bank__get_balance'
const transfer = 'mcp__bank__transfer'
const a = { account: 'a' }
const pay = (amount: number, from = 'a') => ({ from, amount })
const rich = { balance: 1000 }

describe('FC-2: an agent cannot teach a fact', () => {
  it('FC-2: by what it reports, of itself or of a call that failed', () => {
    const { ask, end, call } = play(bank)
    end(ask(get, a).id, rich, { source: 'reported' })
    end(ask(get, a).id, rich, { exit: 'failure' })
    end(ask(get, a).id, rich, { exit: null })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-2: by a result that nobody asked for', () => {
    const { end, call } = play(bank)
    expect(end('stranger', rich).refusal?.code).toBe('unknown_call')
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-2: by a second result of the same call', () => {
    const { ask, end, call } = play(bank)
    const { id } = ask(get, a)
    end(id, { balance: 3 })
    end(id, rich)
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
    expect(call(transfer, pay(3)).kind).toBe('allow')
  })

  it('FC-2: by the result of a call that was denied', () => {
    const denying = bank.replace('working: {', `working: { allowed_tools: [${transfer}],`)
    const { ask, end, call } = play(denying)
    const asked = ask(get, a)
    expect(asked.kind).toBe('deny')
    end(asked.id, rich)
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-3: by arguments that a result tells', () => {
    const { call } = play(bank)
    call(get, { account: 'mine' }, { ...rich, account: 'a', args: a })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
    expect(call(transfer, pay(5, 'mine')).kind).toBe('allow')
  })

  it.each([
    ['MCP__bank__get_balance'],
    ['mcp__Bank__get_balance'],
    ['mcp__bank__get_Balance'],
    ['mcp__bank__get_balance '],
    ['mcp__bank__get_balance\u200b'],
    ['mcp__bаnk__get_balance'],
    ['mcp__bank2__get_balance'],
    ['mcp__bank__x__get_balance'],
    ['mcp__bank'],
    ['get_balance'],
    ['bank_get_balance'],
    ['Bash'],
  ])('FC-2: by a tool that is called nearly the same: %j', (tool) => {
    const { call } = play(bank)
    call(tool, a, rich)
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-2: by a tool of the same name behind another server', () => {
    const { call } = play(bank)
    call(get, a, rich, { server: 'evil' })
    call('get_balance', a, rich, { server: 'bank__get_balance' })
    call('get_balance', a, rich, { server: 'bаnk' })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
    call('get_balance', a, rich, { server: 'bank' })
    expect(call(transfer, pay(5)).kind).toBe('allow')
  })

  it('FC-2: by a result that was cut, is too large, says that it failed, or is no JSON', () => {
    const { ask, end, call } = play(bank)
    const large = 'x'.repeat(256 * 1024)
    end(ask(get, a).id, rich, { result: { structured: rich, isCut: true } })
    end(ask(get, a).id, rich, { result: { structured: { ...rich, large } } })
    end(ask(get, a).id, rich, { result: { text: JSON.stringify({ ...rich, large }) } })
    end(ask(get, a).id, rich, { result: { text: `balance: 1000 ${JSON.stringify(rich)}` } })
    const failed = { isError: true, content: [{ type: 'text', text: JSON.stringify(rich) }] }
    end(ask(get, a).id, rich, { result: { text: JSON.stringify(failed) } })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-2: by a command that only begins or ends like the one that teaches', () => {
    const report = `
id: report
initial: working
facts:
  report: { from: Bash(npm test --silent), value: json(result.text).failed }
guards:
  green: { when: facts.report == 0 }
states:
  working: { on: { DONE: { target: done, guard: green } } }
  done: { type: final }
`
    for (const command of [
      'npm test --silent; echo',
      'npm test --silent || true',
      'npm test --silent --reporter=./mine',
      'npm test',
      'echo npm test --silent',
      'npm() { echo 1; }; npm test --silent',
      'PATH=. npm test --silent',
      '$(echo npm) test --silent',
      '$X test --silent',
      'npm test $Y',
      'cd /tmp && npm test --silent',
      'npm test --silent &',
      "bash -c 'npm test --silent'",
    ]) {
      const { ask, end, move, snapshot } = play(report)
      end(ask('Bash', { command }).id, undefined, { result: { text: '{"failed":0}', exitCode: 0 } })
      move('DONE')
      expect([command, snapshot().status]).toEqual([command, 'running'])
    }
    const { ask, end, move, snapshot } = play(report)
    const { id } = ask('Bash', { command: 'npm test --silent' })
    end(id, undefined, { result: { text: '{"failed":0}', exitCode: 0 } })
    move('DONE')
    expect(snapshot().status).toBe('completed')
  })
})

describe('FC-4: what was known is not spent twice', () => {
  it('FC-4: of twenty transfers that are asked for at once one passes', () => {
    const { ask, call } = play(bank)
    call(get, a, { balance: 10 })
    const kinds = Array.from({ length: 20 }, () => ask(transfer, pay(10)).kind)
    expect(kinds.filter((kind) => kind === 'allow')).toHaveLength(1)
  })

  it('FC-4: readers from before, between and while teach nothing; one from after does', () => {
    const { ask, end, call } = play(bank)
    const before = ask(get, a)
    const close = ask('mcp__bank__close', {})
    const during = ask(get, a)
    end(before.id, rich)
    end(during.id, rich)
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
    end(close.id, {}, { exit: 'failure' })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
    call(get, a, rich)
    expect(call(transfer, pay(5)).kind).toBe('allow')
  })

  it('FC-4: a call under way is not lost among many others', () => {
    const { ask, end, call } = play(bank)
    ask('mcp__bank__close', {})
    const others = Array.from({ length: 300 }, () => ask('mcp__bank__close', {}).id)
    for (const id of others) end(id, {})
    call(get, a, rich)
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-4: a call that ends after nobody waited for it takes back what was learnt', () => {
    const { ask, end, call, tick } = play(bank)
    const late = ask('mcp__bank__close', {})
    tick(10 * 60_000)
    call(get, a, rich)
    end(late.id, {})
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })
})

describe('FC-2: a newer look that shows something else', () => {
  const air = `
id: air
initial: working
facts:
  refundable: { from: mcp__air__get, when: result.refundable == true, key: args.id }
  price: { from: mcp__air__get, key: args.id, value: result.price }
calls:
  mcp__air__cancel: [{ require: args.id in facts.refundable, message: Look first. }]
  mcp__air__pay: [{ require: 'args.amount <= facts.price[args.id]', message: Look first. }]
${states}`
  it('FC-2: withdraws what was known of the same key, and of no other', () => {
    const { call } = play(air)
    call('mcp__air__get', { id: 'a' }, { refundable: true, price: 5 })
    call('mcp__air__get', { id: 'b' }, { refundable: true, price: 5 })
    call('mcp__air__get', { id: 'a' }, { refundable: false })
    expect(call('mcp__air__cancel', { id: 'a' }).code).toBe('condition_failed')
    expect(call('mcp__air__pay', { id: 'a', amount: 1 }).code).toBe('condition_failed')
    expect(call('mcp__air__cancel', { id: 'b' }).kind).toBe('allow')
    expect(call('mcp__air__pay', { id: 'b', amount: 1 }).kind).toBe('allow')
  })
})

describe('FC-4: a command that writes files is an edit', () => {
  const report = `
id: report
initial: working
facts:
  report:
    from: 'Bash(npm test --silent)'
    value: json(result.text).failed
    forget_on: [Edit, Write]
calls:
  mcp__ci__deploy: [{ require: facts.report == 0, message: Test first. }]
${states}`
  it.each([
    ['git diff --output=add.js', 'condition_failed'],
    ['echo x > add.js', 'condition_failed'],
    ['sed -i s/a/b/ add.js', 'condition_failed'],
    ['git checkout HEAD~1 -- add.js', 'condition_failed'],
    ['git diff', undefined],
    ['git commit -m x', undefined],
    ['cat add.js', undefined],
  ])('FC-4: after %s a report is %s', (command, code) => {
    const { ask, end, call } = play(report)
    end(ask('Bash', { command: 'npm test --silent' }).id, undefined, {
      result: { text: '{"failed":0}', exitCode: 0 },
    })
    expect(call('mcp__ci__deploy', {}).kind).toBe('allow')
    call('Bash', { command }, {})
    expect(call('mcp__ci__deploy', {}).code).toBe(code)
  })
})

describe('FC-13: maps that are filled, and values that do not fit', () => {
  it('FC-13: the 257th key is not learnt, and an old one is not pushed out', () => {
    const { call } = play(bank)
    for (let index = 0; index < 257; index++) call(get, { account: `k${index}` }, rich)
    expect(call(transfer, pay(5, 'k256')).code).toBe('condition_failed')
    expect(call(transfer, pay(5, 'k0')).kind).toBe('allow')
  })

  it('FC-13: a value that does not fit replaces what was known', () => {
    const { call } = play(bank)
    call(get, a, rich)
    call(get, a, { balance: 'x'.repeat(5000) })
    expect(call(transfer, pay(5)).code).toBe('condition_failed')
  })

  it('FC-13: a map that is full still takes the newer value of a key', () => {
    const { call } = play(bank)
    for (let index = 0; index < 256; index++) call(get, { account: `k${index}` }, rich)
    call(get, { account: 'k7' }, { balance: 1 })
    expect(call(transfer, pay(5, 'k7')).code).toBe('condition_failed')
  })

  it.each(['__proto__', 'constructor', 'toString', 'hasOwnProperty', 'valueOf'])(
    'FC-13: %s is a key as every other, and known by nothing but a result',
    (key) => {
      const { call, snapshot } = play(bank)
      expect(call(transfer, pay(5, key)).code).toBe('condition_failed')
      call(get, a, rich)
      expect(call(transfer, pay(5, key)).code).toBe('condition_failed')
      call(get, { account: key }, JSON.parse(`{"balance":1000,"__proto__":{"polluted":1}}`))
      expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
      expect(({} as Record<string, unknown>).balance).toBeUndefined()
      const kept = JSON.parse(JSON.stringify(snapshot()))
      expect(kept).toEqual(snapshot())
    },
  )

  it.each([
    ['too many', { to: Array.from({ length: 1001 }, () => 'x') }],
    ['too long', { to: ['x'.repeat(9000)] }],
    ['too long beside it', { to: ['eve@evil.org'], text: 'x'.repeat(9000) }],
    ['many beside it', { to: ['eve@evil.org'], text: Array.from({ length: 1001 }, () => '') }],
    ['too deep', { to: JSON.parse(`${'['.repeat(40)}${']'.repeat(40)}`) }],
    ['no object', ['eve@evil.org']],
  ])('FC-6, FC-13: arguments are not missing because they are %s', (_, input) => {
    const { call } = play(`
id: mail
initial: working
calls:
  mcp__mail__send:
    - require: "!has(args.to) || args.to.all(one, one == 'bob@example.com') || args.text == ''"
      message: Only to Bob.
${states}`)
    expect(call('mcp__mail__send', input).code).toBe('condition_failed')
    expect(call('mcp__mail__send', {}).kind).toBe('allow')
    expect(call('mcp__mail__send', { to: ['bob@example.com'] }).kind).toBe('allow')
  })

  it('FC-12: a list in a result that is too long is not missing', () => {
    const { call } = play(`
id: audit
initial: working
facts:
  clean: { from: mcp__ci__audit, when: "!has(result.inner.errors)" }
calls:
  mcp__ci__deploy: [{ require: facts.clean, message: Audit first. }]
${states}`)
    const errors = Array.from({ length: 1001 }, () => 'bad')
    call('mcp__ci__audit', {}, { inner: { errors } })
    expect(call('mcp__ci__deploy', {}).code).toBe('condition_failed')
    call('mcp__ci__audit', {}, { inner: {} })
    expect(call('mcp__ci__deploy', {}).kind).toBe('allow')
  })
})
