import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from '../base/limits.ts'
import { shownReason } from '../base/problem.ts'
import type { ToolRef } from '../call/tool-names.ts'
import { judgeMail, mailFacts } from './mail.ts'
import { coversAddress, parseAddress, parseAddresses } from './mail-address.ts'

const send: ToolRef = { server: 'resend', tool: 'send-email' }

describe('addresses', () => {
  test.each([
    ['a@example.com', 'a@example.com'],
    ['  A@Example.COM ', 'a@example.com'],
    ['Ann Bee <Ann@Example.com>', 'ann@example.com'],
    ['"Bee, Ann" <ann@example.com>', 'ann@example.com'],
    ['<ann@example.com>', 'ann@example.com'],
    ['"boss@example.com" <other@evil.test>', 'other@evil.test'],
    ['boss@example.com <other@evil.test>', undefined],
    ['a@b@c', undefined],
    ['a@example.com.', undefined],
    ['a@.example.com', undefined],
    ['a@example..com', undefined],
    ['a', undefined],
    ['@example.com', undefined],
    ['a@', undefined],
    ['a@example.com\nBcc: b@evil.test', undefined],
    ['a@example.com\0', undefined],
    ['a@example.com (note)', undefined],
    ['group: a@example.com;', undefined],
    ['mar\u212a@example.com', 'mar\u212a@example.com'],
    ['', undefined],
    [`${'a'.repeat(2000)}@example.com`, undefined],
  ])('PR-10: %j is read as %j', (text, address) => {
    expect(parseAddress(text)).toBe(address)
  })

  test('PR-10: one field may hold several addresses', () => {
    expect(parseAddresses('a@x.test, "B, C" <b@x.test>')).toEqual(['a@x.test', 'b@x.test'])
    expect(parseAddresses('a@x.test,')).toBeUndefined()
    expect(parseAddresses('a@x.test, b')).toBeUndefined()
  })

  test.each([
    ['a@example.com', 'a@example.com', true],
    ['A@EXAMPLE.com', 'a@example.com', true],
    ['*@example.com', 'a@example.com', true],
    ['*@Example.com', 'a@example.com', true],
    ['*@example.com', 'a@sub.example.com', false],
    ['*@example.com', 'a@evil-example.com', false],
    ['*@example.com', 'a@example.com.evil.test', false],
    ['mark@example.com', 'mar\u212a@example.com', false],
    ['*', 'a@example.com', false],
    ['example.com', 'a@example.com', false],
  ])('PR-10: the entry %s covers %s: %s', (entry, address, covers) => {
    expect(coversAddress(entry, address)).toBe(covers)
  })
})

describe('what a call would send', () => {
  const message = { from: 'Us <us@x.test>', to: 'a@x.test', subject: 's', text: 't' }

  test.each<[string, ToolRef, unknown, unknown]>([
    [
      'to, cc and bcc',
      send,
      { ...message, to: ['a@x.test', 'B <b@x.test>'], cc: 'c@x.test', bcc: ['d@x.test'] },
      [{ from: 'us@x.test', recipients: ['a@x.test', 'b@x.test', 'c@x.test', 'd@x.test'] }],
    ],
    [
      'where answers go',
      send,
      { ...message, reply_to: ['r@x.test'], replyTo: 'R <s@x.test>' },
      [{ from: 'us@x.test', recipients: ['a@x.test', 'r@x.test', 's@x.test'] }],
    ],
    [
      'a batch',
      { tool: 'send-email' },
      [message, { to: 'b@x.test' }],
      [
        { from: 'us@x.test', recipients: ['a@x.test'] },
        { from: null, recipients: ['b@x.test'] },
      ],
    ],
    [
      'a batch in a field, and a message beside it',
      { server: 'resend', tool: 'send-batch-emails' },
      { emails: [message], to: 'z@x.test' },
      [
        { from: 'us@x.test', recipients: ['a@x.test'] },
        { from: null, recipients: ['z@x.test'] },
      ],
    ],
    ['only looking', { server: 'resend', tool: 'list-emails' }, {}, []],
  ])('PR-10: %s', (_what, ref, input, messages) => {
    expect(mailFacts(ref, input)).toEqual({ messages })
  })

  test.each<[string, unknown]>([
    ['nothing', undefined],
    ['an empty batch', []],
    ['no recipient', { from: 'us@x.test' }],
    ['an empty recipient', { to: '' }],
    ['a recipient that is no text', { to: [{ email: 'a@x.test' }] }],
    ['a broken recipient', { to: ['a@x.test', 'b'] }],
    ['a broken cc', { to: 'a@x.test', cc: 7 }],
    ['answers that go to nobody', { to: 'a@x.test', reply_to: 7 }],
    ['a misspelt field for answers', { to: 'a@x.test', 'Reply-To': 'b@x.test' }],
    ['a header for answers', { to: 'a@x.test', headers: { 'Reply-To': 'b@x.test' } }],
    ['a broken sender', { to: 'a@x.test', from: ['us@x.test'] }],
    ['a batch that is no list', { emails: {} }],
    ['a recipient in a header', { ...message, headers: { 'X-Tag': 'a', bCC: 'b@y.test' } }],
    ['a sender in a header', { ...message, headers: { 'Resent-From': 'b@y.test' } }],
    ['a header with a line of its own', { ...message, headers: { 'X-Tag': 'a\r\nBcc: b@y.test' } }],
    ['a header name with a line of its own', { ...message, headers: { 'X\nBcc': 'b@y.test' } }],
    ['headers that are no object', { ...message, headers: [['Bcc', 'b@y.test']] }],
    ['a recipient spelt in another way', { ...message, Bcc: 'b@y.test' }],
    ['a message that is no object', ['a@x.test']],
    ['too many messages', new Array(limits.mailMessages + 1).fill(message)],
    ['too many recipients', { to: new Array(limits.mailRecipients + 1).fill('a@x.test') }],
    ['inherited fields', Object.create(message)],
  ])('PR-10: %s cannot be read and is refused', (_what, input) => {
    const facts = mailFacts(send, input)
    expect(facts).toMatchObject({ messages: [], unreadable: { phrase: expect.any(String) } })
    expect(judgeMail({}, facts ?? { messages: [] }, 0)).toMatchObject([
      { code: 'email_not_allowed' },
    ])
  })

  test('PR-10: only mail tools are read', () => {
    expect(mailFacts({ tool: 'Bash' }, message)).toBeUndefined()
    expect(mailFacts({ server: 'resendx', tool: 'send' }, message)).toBeUndefined()
    expect(mailFacts({ tool: 'resend-email' }, message)).toBeDefined()
    expect(mailFacts({ server: 'mail', tool: 'send-email' }, message)).toBeDefined()
  })

  test('PR-10: nothing an agent sends makes it throw', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (input) => {
        expect(mailFacts(send, input)).toBeDefined()
      }),
    )
  })
})

describe('the mail rules of a process', () => {
  const config = {
    max_emails_per_session: 3,
    allowed_from: ['us@x.test'],
    allowed_to: ['*@x.test', 'friend@y.test'],
  }
  const mail = (from: string | null, ...recipients: string[]) => ({
    messages: [{ from, recipients }],
  })

  test('PR-10: what is listed may be sent, up to the limit', () => {
    expect(judgeMail(config, mail('us@x.test', 'a@x.test', 'friend@y.test'), 2)).toEqual([])
    expect(judgeMail({}, mail(null, 'anyone@z.test'), 1000)).toEqual([])
  })

  test('PR-10: every rule that is broken speaks', () => {
    const reasons = judgeMail(config, mail('me@x.test', 'a@x.test', 'b@y.test'), 3)
    expect(reasons.map(shownReason)).toEqual([
      {
        code: 'email_not_allowed',
        message: 'Mail from me@x.test is not allowed.',
        path: 'email_config.allowed_from',
      },
      {
        code: 'email_not_allowed',
        message: 'Mail to b@y.test is not allowed.',
        path: 'email_config.allowed_to',
      },
      {
        code: 'email_limit',
        message:
          'This run may send 3 mails and has sent 3; 1 more would be too many. Nothing was sent.',
        path: 'email_config.max_emails_per_session',
      },
    ])
  })

  test('PR-10: each message of a batch counts', () => {
    const one = { from: 'us@x.test', recipients: ['a@x.test'] }
    expect(judgeMail(config, { messages: [one, one] }, 1)).toEqual([])
    expect(judgeMail(config, { messages: [one, one] }, 2)).toMatchObject([{ code: 'email_limit' }])
  })

  test('PR-10: a mail without a sender is refused where senders are listed', () => {
    expect(judgeMail(config, mail(null, 'a@x.test'), 0)).toMatchObject([
      { code: 'email_not_allowed', path: 'email_config.allowed_from' },
    ])
  })
})
