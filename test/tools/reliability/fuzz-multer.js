'use strict'

// The judge of `npm run fuzz -- --against=multer`: an allowed difference is one, and a wrong
// result is not, also where a difference is allowed.

const assert = require('node:assert/strict')
const judge = require('../../../reliability/multer/judge')
const { askMulter, observe } = require('../../../reliability/multer/observe')

const HEAD = '--b\r\nContent-Disposition: form-data; name='
const field = (name, value = '1') => `${HEAD}"${name}"\r\n\r\n${value}\r\n`
const file = (name, filename = 'f', value = 'hi') => `${HEAD}"${name}"; filename="${filename}"\r\n\r\n${value}\r\n`
const OCTETS = '\r\nContent-Type: application/octet-stream'
const END = '--b--\r\n'

function caseOf (text, { limits = {}, ...more } = {}) {
  const usual = { route: 'any', engine: 'memory', filter: 'none', handler: 'none', hasLimitsOf: false }
  return { ...usual, ...more, text, body: [Buffer.from(text, 'latin1')], options: { limits } }
}

/** What a class says -> a case that needs it. */
const ALLOWED = {
  'in the place of the header': caseOf(`${field('a')}--b\r\n${field('b')}${END}`),
  'ends within the header': caseOf(`${field('a')}--b\r\nno field\r\n`),
  'cut within its last line': caseOf(`${field('a')}--b--\r`),
  'directly behind the header': caseOf(`${field('a')}${field('b', '--b')}${END}`),
  'merely begins with the boundary': caseOf(`${field('a', '1\r\n--bx\r\n2')}${END}`),
  'does not begin a line counts': caseOf(`\n${file('x')}${field('a')}${END}`),
  'Blanks may follow': caseOf(`${field('a')}${field('b').replace('--b', '--b ')}${END}`),
  'behind the last boundary': caseOf(`${field('a')}${END}${field('b')}${field('c')}${END}`),
  'a charset of the Encoding Standard': caseOf(
    `${field('a')}${HEAD}b\r\nContent-Type: text/plain; charset=gbk\r\n\r\n\xC4\xE3\r\n${END}`),
  'multer cannot read, and drops': caseOf(
    `${field('a')}${HEAD}b/c\r\n\r\n1\r\n${HEAD}x; filename="test".png"\r\n\r\n1\r\n${END}`),
  'in pieces makes no field': caseOf(`${field('a')}${HEAD}b; filename*0=c\r\n\r\n1\r\n${END}`),
  'A part of bytes without a filename': caseOf(`${field('a')}${HEAD}b${OCTETS}\r\n\r\n1\r\n${END}`),
  'whose name is a folder': caseOf(
    `${file('x', '..')}${HEAD}"y"; filename=""${OCTETS}\r\n\r\n1\r\n${field('a')}${END}`),
  'over limits.parts': caseOf(`${field('a')}${field('b')}${END}`, { limits: { parts: 1 } }),
  'what came before that part alone': caseOf(`${field('a')}${file('x')}${field('b')}${END}`,
    { limits: { fileSize: 1 } }),
  'comes first in the form': caseOf(`${field('a')}${file('x', 'n')}--b\r\nno field\r\n\r\n\r\n${END}`,
    { filter: 'failing later' }),
  'A filter that answers later': caseOf(`${file('x', 'n')}${file('x')}${END}`,
    { route: 'single', filter: 'by name, later' }),
  'has not failed yet': caseOf(`${field('a')}${file('y')}--b\r\nno field\r\n\r\n\r\n${field('b')}${END}`,
    { engine: 'failing' }),
  'over limits.total': caseOf(`${field('a', 'x'.repeat(17000))}${END}`, { limits: { fields: 0, files: 0 } }),
  // The filter of the second file answers in a timer, when the engine of the first has failed.
  'until its engine has failed': caseOf(`${field('a')}${file('y')}${file('y')}${field('b')}${END}`,
    { engine: 'failing', filter: 'by name, later' }),
  'is removed once': caseOf(`${field('a')}${file('x')}${file('x')}${file('y')}${field('b')}${END}`,
    { engine: 'named', limits: { files: 2 } })
}

/** Wrong results, of each of these cases. */
const WRONG = {
  'a second call of next': (seen) => { seen.calls = 2 },
  'a field that is lost': (seen) => {
    delete seen.body[Object.keys(seen.body).find((name) => name !== '<null>') ??
  '<null>']
  },
  'a field that nobody sent': (seen) => { seen.body.other = '1' },
  'a file on the disk': (seen) => { seen.left++ },
  'another error': (seen) => { seen.error = { ...seen.error, message: 'other' } },
  'an error of another field': (seen) => { seen.error = { ...seen.error, field: 'other' } },
  'an error of an engine': (seen) => { seen.error = { ...seen.error, storageErrors: ['ENOENT: other'] } },
  'a request that hangs': (seen) => {
    for (const name of Object.keys(seen)) delete seen[name]
    seen.hangs = true
  }
}

describe('the judge of npm run fuzz -- --against=multer', function () {
  this.timeout(60_000)

  for (const [words, drawn] of Object.entries(ALLOWED)) {
    it(`allows a difference by the class "${words}", and nothing else beside it`, async () => {
      const { seen, expected } = await observe(drawn)
      const sentences = await judge(drawn, seen, expected, askMulter(drawn))
      assert.ok(sentences?.some((sentence) => sentence.includes(words)),
        JSON.stringify({ seen, expected, sentences }, null, 1))
      for (const [what, plant] of Object.entries(WRONG)) {
        const planted = structuredClone(seen)
        plant(planted)
        assert.equal(await judge(drawn, planted, expected, askMulter(drawn)), null, what)
      }
    })
  }

  it('finds nothing where both do the same, and a wrong result there', async () => {
    const drawn = caseOf(`${field('a')}${file('x')}${END}`)
    const { seen, expected } = await observe(drawn)
    assert.deepEqual(await judge(drawn, seen, expected, askMulter(drawn)), [])
    for (const [what, plant] of Object.entries(WRONG)) {
      const planted = structuredClone(seen)
      plant(planted)
      assert.equal(await judge(drawn, planted, expected, askMulter(drawn)), null, what)
    }
    seen.files[0].size++
    assert.equal(await judge(drawn, seen, expected, askMulter(drawn)), null)
  })
})
