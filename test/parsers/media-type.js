'use strict'

const { table } = require('../support/table')

function row (contentType, type, expect) {
  return {
    it: `${expect
      ? 'parses'
      : 'skips'} ${JSON.stringify(contentType)} with ${typeof type === 'function'
        ? type
        : JSON.stringify(type) ?? 'the default type'}`,
    parser: 'text',
    options: type === undefined ? undefined : { type },
    headers: contentType === undefined ? {} : { 'Content-Type': contentType },
    body: 'a',
    expect: { body: expect ? 'a' : undefined }
  }
}

const yes = (...args) => row(...args, true)
const no = (...args) => row(...args, false)

const failing = () => { throw new Error('no') }
const other = (it, parser, type, more) =>
  ({ it, parser, options: { type }, headers: { 'Content-Type': 'a/b' }, ...more })

describe('media type', () => {
  describe('of a request', () => {
    table([
      yes('text/plain', undefined), yes('TEXT/Plain', undefined), yes('text/plain;', undefined),
      yes(' text/plain ', undefined),
      yes('text/plain ;a=b', undefined), no(undefined, undefined), no('', undefined), no('text', undefined),
      no('text/', undefined),
      no('/plain', undefined), no('text/html', undefined), no('text /plain', undefined), no('text/ plain', undefined),
      no('text/plain x', undefined), no('text/plain, text/html', undefined), no('text/plain\u00a0', undefined),
      no('text/plain\u00a0;a', undefined),
      no('te(xt/plain', '*/*'), no('text/pl{ain', '*/*'), no('a/b/c', '*/*'), no('.a/b', '*/*'), no('+a/b', '*/*'),
      no('a.b/c', '*/*'),
      yes('a/b.c+d', '*/*'), yes('a!#$&^_-/b', '*/*'), yes(`a${'x'.repeat(126)}/b`, '*/*'),
      no(`a${'x'.repeat(127)}/b`, '*/*'),
      no(`a/b${'x'.repeat(127)}`, '*/*'), no('text/plain', 'text/html'), no('; charset=utf-8', '*/*')
    ])
  })

  describe('of the option type', () => {
    table([
      yes('text/html', 'text/html'), yes('text/html', ['text/css', 'text/html']),
      no('text/xml', ['text/css', 'text/html']),
      no('application/json', 'APPLICATION/JSON'), no('application/json', 'application/json; charset=x'),
      no('application/json', ' application/json'),
      yes('application/json', 'json'), yes('application/json', '.json'), yes('text/plain', 'txt'),
      yes('application/octet-stream', 'bin'),
      yes('text/html', 'html'), yes('application/x-www-form-urlencoded', 'urlencoded'),
      yes('multipart/form-data; boundary=x', 'multipart'),
      no('application/json', '+json'), yes('application/vnd.api+json', '+json'),
      yes('application/vnd.api+json', '*/*+json'), no('a/b+xml', '+json'),
      yes('application/json', 'application/*'), yes('application/json', '*/json'), yes('a/b', '*/*'), no('a/b', '*'),
      no('a/b', 'nonsense'),
      yes('a/b', []), no('a b/c', []), no('a/b', [5]), no('a/b', 5), no('a/b', [{}]), no('a/b', {}), no('a/b', [null]),
      no('5/5', true),
      yes('a/b', ['json', 'a/b']), yes('a/b', [5, 'a/*']), no('a/b', ['']), no('a/b', ['a/b/c']), no('a/b/c', 'a/b/c'),
      no('a/b c', 'a/b c'), no('a b/c', 'a b/c'), yes('text/plain', ''),
      yes('text/plain', null), yes('text/plain', 0), yes('text/plain', false), no('a/b', 'a/*+json'),
      yes('a/x+json', 'a/*+json')
    ])
  })

  describe('of a type function', () => {
    table([
      yes('text/html', () => true), no('text/plain', () => false), yes('text/plain', () => 'text'),
      no('text/plain', () => 0),
      yes(undefined, () => true), yes('no type at all', () => true), yes('', () => true),
      yes('no type; charset=utf-8', (req) => req.headers['content-type'].startsWith('no')),
      other('may be invalid, and still have a charset', 'text', () => true,
        { headers: { 'Content-Type': 'a b; charset=iso-8859-1' }, body: Buffer.from([0xe9]), expect: { body: 'é' } }),
      other('leads to whatever error the function throws', 'json', failing, { body: 'x' }),
      other('is not looked at without a body', 'json', failing, { expect: { body: undefined } }),
      other('is looked at when req.body exists', 'text', (req) => 'body' in req, { body: 'x', expect: { body: 'x' } })
    ])
  })
})
