import { describe, expect, it } from 'vitest'
import { play } from './play.ts'

const bank = `
id: bank
initial: working
facts:
  balance:
    from: mcp__bank__get_balance
    key: args.account
    value: result.balance
    forget_on: [mcp__bank__transfer]
    expires: 10m
calls:
  mcp__bank__transfer:
    - require: args.amount <= facts.balance[args.from]
      message: Read the balance of the account first.
states:
  working: { on: { DONE: done } }
  done: { type: final }
`

describe('FC-1: transfer at most the balance that was read', () => {
  it('FC-15: denies with what it saw and who teaches it, and lets through what was read', () => {
    const { call } = play(bank)
    const unread = call('mcp__bank__transfer', { from: 'a', amount: 5 })
    expect(unread.code).toBe('condition_failed')
    expect(unread.message).toBe(
      'Read the balance of the account first. The call requires ' +
        'args.amount <= facts.balance[args.from], which is not known to be true. ' +
        'Values: args.amount is 5, facts.balance[args.from] is unknown, args.from is "a". ' +
        'To learn facts.balance, call mcp__bank__get_balance.',
    )
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    expect(call('mcp__bank__transfer', { from: 'b', amount: 5 }).kind).toBe('deny')
    expect(call('mcp__bank__transfer', { from: 'a', amount: 11 }).message).toContain(
      'The call requires args.amount <= facts.balance[args.from], which is not true. ' +
        'Values: args.amount is 11, facts.balance[args.from] is 10',
    )
    expect(call('mcp__bank__transfer', { from: 'a', amount: 10 }).kind).toBe('allow')
    expect(call('mcp__bank__transfer', { from: 'a', amount: 1 }).kind).toBe('deny')
  })

  it('FC-4: a balance asked for before a transfer, or while one runs, is not taken', () => {
    const { ask, end, call } = play(bank)
    const early = ask('mcp__bank__get_balance', { account: 'a' })
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    const transfer = ask('mcp__bank__transfer', { from: 'a', amount: 10 })
    expect(transfer.kind).toBe('allow')
    end(early.id, { balance: 10 })
    expect(ask('mcp__bank__transfer', { from: 'a', amount: 10 }).kind).toBe('deny')
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    expect(ask('mcp__bank__transfer', { from: 'a', amount: 10 }).kind).toBe('deny')
    end(transfer.id, {})
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 0 })
    expect(ask('mcp__bank__transfer', { from: 'a', amount: 1 }).kind).toBe('deny')
  })

  it('FC-1: forgets what is older than it may be', () => {
    const { call, tick } = play(bank)
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    tick(10 * 60_000)
    expect(call('mcp__bank__transfer', { from: 'a', amount: 1 }).kind).toBe('deny')
  })
})

describe('FC-15: a denial names who teaches what is missing', () => {
  it('where the fact is known, but not of this key', () => {
    const { call } = play(bank)
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    const { message } = call('mcp__bank__transfer', { from: 'b', amount: 5 })
    expect(message).toMatch(/To learn facts\.balance, call mcp__bank__get_balance\.$/)
  })

  it('and quotes a condition of many lines on one, as far as somebody reads', () => {
    const words = Array.from({ length: 60 }, (_, index) => `"word${index}"`)
    const list = words.join(',\n          ')
    const long = bank.replace(
      'require: args',
      `require: >-\n        [${list}] != args.x &&\n          args`,
    )
    const { message = '' } = play(long).call('mcp__bank__transfer', { from: 'a', amount: 5 })
    expect(message).toContain('The call requires ["word0", "word1", "word2"')
    expect(message).toContain('…, which')
    expect(message).not.toContain('\n')
    expect(message.length).toBeLessThan(800)
  })

  it('and not where all is known', () => {
    const { call } = play(bank)
    call('mcp__bank__get_balance', { account: 'a' }, { balance: 10 })
    expect(call('mcp__bank__transfer', { from: 'a', amount: 11 }).message).not.toContain('To learn')
  })
})

describe('FC-11: mail only to contacts, or to whom the user named', () => {
  const mail = `
id: mail
initial: working
facts:
  contacts: { from: mcp__mail__get_contacts, each: result.contacts, key: item.email }
calls:
  mcp__mail__send:
    - require: args.to.all(a, a in facts.contacts || mentions(task, a))
      message: Only to contacts, or to addresses that the user named.
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
  it('takes neither a stranger nor a part of a name', () => {
    const { call } = play(mail, 'Write to Bob@example.com about lunch.')
    expect(call('mcp__mail__send', { to: ['bob@example.com'] }).kind).toBe('allow')
    expect(call('mcp__mail__send', { to: ['ann@example.com'] }).kind).toBe('deny')
    call('mcp__mail__get_contacts', {}, { contacts: [{ email: 'ann@example.com' }] })
    expect(call('mcp__mail__send', { to: ['ann@example.com', 'bob@example.com'] }).kind).toBe(
      'allow',
    )
    expect(call('mcp__mail__send', { to: ['example.com'] }).kind).toBe('deny')
    expect(call('mcp__mail__send', { to: ['ann@example.com', 'eve@evil.org'] }).kind).toBe('deny')
  })
})

describe('FC-5: once a secret was read, no network', () => {
  const secret = `
id: secret
initial: working
marks:
  secret_read:
    on: [Read, Bash]
    when: files.exists(f, glob(f.path, "**/.env*")) || shell.reads.exists(p, glob(p, "**/.env*"))
calls:
  WebFetch:
    - require: "!marks.secret_read || host(args.url) in ['docs.example.com']"
      message: A secret was read in this run; only docs.example.com may be reached.
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
  it.each([
    ['Read', { file_path: 'api/.env.local' }],
    ['Bash', { command: 'cat .env' }],
    ['Bash', { command: 'grep -r KEY .' }],
    ['Bash', { command: 'cat $(ls)' }],
  ])('%s %j', (tool, input) => {
    const { call } = play(secret)
    expect(call('WebFetch', { url: 'https://example.org' }).kind).toBe('allow')
    call('Read', { file_path: 'README.md' })
    call('Bash', { command: 'ls -la' })
    expect(call('WebFetch', { url: 'https://example.org' }).kind).toBe('allow')
    call(tool, input)
    expect(call('WebFetch', { url: 'https://example.org' }).code).toBe('condition_failed')
    expect(call('WebFetch', { url: 'https://docs.example.com/a' }).kind).toBe('allow')
  })
})

describe('FC-1: cancel only a reservation that was shown to be refundable', () => {
  const air = `
id: air
initial: working
facts:
  refundable:
    from: mcp__air__get_reservation
    when: result.refundable == true
    key: args.id
calls:
  mcp__air__cancel:
    - require: args.id in facts.refundable
      message: Look the reservation up first; only a refundable one may be cancelled.
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
  it('knows each by its id', () => {
    const { call } = play(air)
    call('mcp__air__get_reservation', { id: 'A' }, { refundable: true })
    call('mcp__air__get_reservation', { id: 'B' }, { refundable: false })
    expect(call('mcp__air__cancel', { id: 'A' }).kind).toBe('allow')
    expect(call('mcp__air__cancel', { id: 'B' }).kind).toBe('deny')
    expect(call('mcp__air__cancel', { id: 'C' }).kind).toBe('deny')
  })
})

describe('FC-6: arguments that cannot be known as a whole', () => {
  const forced = `
id: forced
initial: working
calls:
  mcp__ci__deploy:
    - require: "!has(args.force)"
      message: Without force.
states:
  working: { on: { DONE: done } }
  done: { type: final }
`
  it.each([
    ['an argument', { force: true }],
    ['one that is too long', { force: 'x'.repeat(9000) }],
    ['a list that is too long', { force: Array.from({ length: 1001 }, () => 1) }],
    ['no object', 'force'],
  ])('%s is not taken for missing', (_, input) => {
    const { call } = play(forced)
    expect(call('mcp__ci__deploy', input).code).toBe('condition_failed')
    expect(call('mcp__ci__deploy', { note: 'y'.repeat(9000) }).kind).toBe('allow')
  })
})
