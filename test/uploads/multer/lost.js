'use strict'

// Forms of which multer loses content without a word.

const assert = require('node:assert/strict')
const { HEAD, any, both, field, form, part } = require('../../support/multer-rows')

const NO_END = 'Unexpected end of form'
const MALFORMED = 'Malformed part header'
const OCTETS = '\r\nContent-Type: application/octet-stream'

/** Names and contents; or the error. */
function shown ({ error, body, files = [] }) {
  if (error !== undefined) return error.code ?? error.message
  const { '<null>': isNull, ...fields } = body ?? {}
  const stored = files.map(({ fieldname, originalname, buffer }) =>
    `${fieldname}: ${originalname || 'no name'}, ${buffer}`)
  return { ...fields, ...stored.length > 0 && { files: stored } }
}

/**
 * @param {Record<string, unknown>} rows input -> what is made of it: an error's code or message, or fields and files
 * @param {(input: string) => object} messageOf the form, and more of the request
 */
function table (rows, messageOf) {
  for (const [input, expected] of Object.entries(rows)) {
    it(JSON.stringify(input), async () => {
      const [seen, theirs] = await both({ make: any(), ...messageOf(input) })
      assert.deepEqual(shown(seen), expected)
      assert.deepEqual([theirs.error, JSON.stringify(theirs).includes('1"')], [undefined, false], 'multer loses it')
    })
  }
}

describe('multer, where it loses a form', () => {
  const B = 'multipart/form-data; boundary=b'
  table({
    [`${B};`]: { a: '1' },
    [`${B} ;`]: { a: '1' },
    'multipart/form-data;; boundary=b': { a: '1' },
    [`${B}; x="`]: { a: '1' },
    [`${B}, x`]: NO_END,
    'multipart/form-data; boundary="b': 'Multipart: Boundary not found',
    'multipart/form-data; boundary=': 'Malformed content type',
    'multipart/form-data; boundary=b; boundary=c;': { a: '1' }
  }, (type) => ({ body: form(field('a')), headers: { 'Content-Type': type } }))

  table({ 'a=b:c/d': { a: '1' }, ' x': { a: '1' } },
    (end) => ({
      body: form(field('a')).replaceAll('--b', `--b${end}`),
      headers: { 'Content-Type': `multipart/form-data; boundary=b${end}` }
    }))

  it('refuses another type, as it does without what multer cannot read', async () => {
    const type = 'multipart/mixed; boundary=b;'
    for (const [sent, shown] of [[type, type], [type.padEnd(200, 'x'), `${type.padEnd(100, 'x')}...`]]) {
      const headers = { 'Content-Type': sent }
      const [{ error, status }, theirs] = await both({ make: any(), body: form(field('a')), headers })
      assert.deepEqual([error.message, status, theirs.error], [`Unsupported content type: ${shown}`, 415, undefined])
    }
  })
})

describe('multer, where it loses a part whose Content-Disposition it cannot read', () => {
  const named = (name) => ({ files: [`a: ${name}, <bytes> 1`] })
  const rows = {
    'form-data; name="a";': { a: '1' },
    'form-data; name = a': { a: '1' },
    'form-data; name=a/b': { 'a/b': '1' },
    'form-data; name="a\\"': { 'a\\': '1' },
    'form-data; name="a";; filename=x': named('x'),
    'form-data; name=a; filename=x/y': named('y'),
    'form-data; name=a; filename="x\\"': named('no name'),
    'form-data; name=a; filename*="utf-8\'\'x"': named('x'),
    "form-data; name=a; filename*=utf-8''": named('no name'),
    "form-data; name=a; filename*=utf-8''a/b": named('b'),
    "form-data; name=a; filename*=utf-8''x'y": named("x'y"),
    "form-data; name=a; filename=z; filename*=utf-8''%zz": named('z'),
    'form-data; name=a; filename=z; x*="utf-8\'\'y"': named('z')
  }
  const refused = ['form-data; name="a" x', 'form-data; name=a b', 'form-data; name="a', 'form-data; x; name=c', '',
    'attachment; name=a; filename=q', 'form-data; name=a; filename="test".png"', 'something; x=form-data; name=a',
    "form-data; name=a; filename*=utf-8''%zz", "form-data; name=a; filename*=nope''x"]
  table({
    ...rows,
    ...Object.fromEntries(refused.map((disposition) => [disposition, MALFORMED])),
    'form-data;': 'MISSING_FIELD_NAME'
  },
  (disposition) => ({ body: form(part(`Content-Disposition: ${disposition}`)) }))

  it('decodes its names as those of others, and lets them nest', async () => {
    const body = form(part('Content-Disposition: form-data; name=é[b]'),
      part('Content-Disposition: form-data; name="x"; filename="é";'))
    for (const [options, name] of [[{}, 'Ã©'], [{ defParamCharset: 'utf8' }, 'é']]) {
      const [{ body: fields, files }] = await both({ make: any(options), body })
      assert.deepEqual(fields[name], { '<null>': true, b: '1' })
      assert.equal(files[0].originalname, name)
    }
  })

  const headers = {
    'Content-Type: text/plain': MALFORMED,
    'X: y': MALFORMED,
    [`${HEAD}a\r\n\tx`]: MALFORMED
  }
  table(headers, (header) => ({ body: form(part(header)) }))
  table({ [`${HEAD}\r\n a`]: { a: '1' } }, (header) => ({ body: form(part(header)) }))

  // [what, options, Content-Disposition, with multer alone without the semicolon, what both make of that]
  const END_OR_NOT = [
    ['all bytes of a name', {}, 'form-data; name=x; filename="’.txt"',
      { files: ['x: \xE2\x80\x99.txt, <bytes> 1'] }],
    ['a path that is to be kept', { preservePath: true }, 'form-data; name=x; filename="../a/b.txt"',
      { files: ['x: ../a/b.txt, <bytes> 1'] }],
    ['the length of a name with its escapes', { limits: { fieldNameSize: 5 } }, 'form-data; name="a%22bc"',
      'LIMIT_FIELD_KEY'],
    ['the first of two names', {}, 'form-data; name=a; name=b', { a: '1' }],
    ['a name in UTF-16', { defParamCharset: 'utf-16le' }, 'form-data; name="a\0b\0"', MALFORMED]
  ]
  for (const [what, options, disposition, expected] of END_OR_NOT) {
    it(`reads ${what}, with and without a semicolon at the end`, async () => {
      for (const end of ['', ';', ' ; ']) {
        const body = form(part(`Content-Disposition: ${disposition}${end}\r\nContent-Type: text/plain`))
        const [seen, theirs] = (await both({ make: any(options), body })).map(shown)
        assert.deepEqual(seen, expected)
        assert.deepEqual(theirs, end === '' || expected === MALFORMED ? expected : {})
      }
    })
  }

  it('refuses a file name in pieces, of which multer makes a field with the content of the file', async () => {
    for (const pieces of ['filename*0="a"; filename*1=".txt"', "filename*0*=utf-8''a; filename*1*=b"]) {
      const body = form(part(`Content-Disposition: form-data; name=a; ${pieces}`))
      const [seen, theirs] = await both({ make: any(), body })
      assert.equal(shown(seen), MALFORMED)
      assert.deepEqual(shown(theirs), pieces.includes('*0*') ? {} : { a: '1' })
    }
  })
})

describe('multer, where it loses a file without a name', () => {
  const names = ['.', 'a/..', '/', 'C:\\'].map((name) => `"${name.replaceAll('\\', '\\\\')}"`)
  table(Object.fromEntries(names.map((name) => [name, { files: ['a: no name, <bytes> 1'] }])),
    (name) => ({ body: form(part(`${HEAD}a; filename=${name}`)) }))

  table({
    [`${HEAD}a${OCTETS}`]: { a: '1' },
    [`${HEAD}a${OCTETS}; x=y`]: { a: '1' },
    [`${HEAD}a; filename=""${OCTETS}`]: { files: ['a: no name, <bytes> 1'] }
  }, (header) => ({ body: form(part(header)) }))

  const unchosen = (value) => part(`${HEAD}a; filename=""${OCTETS}`, value)

  it('takes one whose name is nothing in its charset', async () => {
    const body = form(part(`${HEAD}"ab"; filename="x"${OCTETS}`))
    const [{ files }, theirs] = await both({ make: any({ defParamCharset: 'utf-16le' }), body })
    assert.deepEqual([files.map(({ size, originalname }) => [originalname, size]), theirs.files], [[['', 1]], []])
  })

  for (const [when, hold] of Object.entries({ 'at once': (act) => act(), later: setImmediate })) {
    it(`asks a filter about one that has bytes after all, and waits for its answer: ${when}`, async () => {
      for (const [isWanted, length] of [[true, 1], [false, 200_000]]) {
        const fileFilter = (req, file, done) => hold(() => done(null, isWanted))
        const body = form(unchosen('x'.repeat(length)), field('b'))
        for (const make of [any({ fileFilter }), (multer, dest) => multer({ fileFilter, dest }).any()]) {
          const [seen] = await both({ make, body: [body.slice(0, -150), body.slice(-150, -50), body.slice(-50)] })
          assert.deepEqual([seen.error, seen.body.b, seen.files.map(({ size }) => size)],
            [undefined, '1', isWanted ? [length] : []])
        }
      }
    })
  }

  it('holds it to the limits, and to the route', async () => {
    const rows = [
      [any({ limits: { fileSize: 0 } }), 'LIMIT_FILE_SIZE'],
      [(multer) => multer().none(), 'LIMIT_UNEXPECTED_FILE'],
      [any({ limits: { fieldNameSize: 0 } }), 'LIMIT_FIELD_KEY']
    ]
    for (const [make, code] of rows) {
      const [{ error: { filename, ...error } }] = await both({ make, body: form(unchosen('1')) })
      assert.deepEqual([error.code, filename], [code, undefined])
    }
  })
})

describe('multer, where it loses a value', () => {
  it('refuses one of a charset that nothing knows', async () => {
    const header = `${HEAD}a\r\nContent-Type: text/plain; charset=utf-7`
    const [seen, { error, body }] = await both({ make: any(), body: form(part(header)) })
    assert.match(seen.error.message, /^unsupported charset /)
    assert.deepEqual([seen.status, error, body], [415, undefined, { '<null>': true, a: '<undefined>' }])
  })
})
