'use strict'

// The judge of `npm run fuzz -- --against=multer`: an allowed difference is one, and a wrong
// result is not, also where a difference is allowed.

const assert = require('node:assert/strict')
const { inTime, ofForms } = require('../../../reliability/forms/differences')
const { AFTER, BEFORE, OCTETS, ODD_HEADS } = require('../../../reliability/forms/form')
const { writeForm } = require('../../../reliability/forms/form-text')
const { askMulter, judge, observe } = require('../../../reliability/forms/judge-multer')

const part = (more) => ({ field: 'a', line: '', content: '1', isDense: false, blanks: '', ...more })
const file = (more) => part({ field: 'x', name: 'f', ...more })
const malformed = part({ line: '\r\nno field' })

function caseOf (parts, { after, before, cut = null, ...more } = {}) {
  const nothing = { sent: '', twin: '' }
  const usual = { route: 'any', engine: 'memory', filter: 'none', handler: 'none', hasLimitsOf: false }
  return {
    form: { boundary: 'b', parts, before: before ?? nothing, after: after ?? nothing, cut },
    route: { ...usual, limits: {}, options: {}, ...more },
    sizes: [1e6]
  }
}

const oddly = (list, key) => list.find(({ why }) => why === key)
const head = (key) => caseOf([part(), part({ head: oddly(ODD_HEADS, key) })])

/** A case that needs the difference, by its key. */
const OF_FORMS = {
  dropped: head('dropped'),
  inPieces: head('inPieces'),
  bytes: caseOf([part(), part({ field: 'b', line: OCTETS })]),
  nameless: caseOf([part({ written: '..' }), part({ written: '', line: OCTETS }), part()]),
  parts: caseOf([part(), malformed], { limits: { parts: 1 } }),
  cutHeader: caseOf([part(), malformed], { cut: 900 }),
  cutLine: caseOf([part()], { cut: 990 }),
  inHeader: head('inHeader'),
  dense: caseOf([part({ content: '', isDense: true }), part({ field: 'b' })]),
  begins: caseOf([part({ content: '1\r\n--§x\r\n2' })]),
  within: caseOf([file(), part()], { before: oddly(BEFORE, 'within') }),
  blanks: caseOf([part(), part({ blanks: ' ' })]),
  behind: caseOf([part()], { after: oddly(AFTER, 'behind') })
}

const IN_TIME = {
  filter: caseOf([file({ name: 'n' }), file()], { route: 'single', filter: 'by name, later' }),
  engine: caseOf([part(), file({ field: 'y' }), malformed, part()], { engine: 'failing' }),
  before: caseOf([part(), file({ content: '12' }), part()], { limits: { fileSize: 1 } }),
  removal: caseOf([part(), file(), file(), file(), part()], { engine: 'named', limits: { files: 2 } })
}

/** Wrong results, of each of these cases. */
const WRONG = {
  'a second call of next': (seen) => { seen.calls = 2 },
  'a field that is lost' ({ body }) {
    delete body[Object.keys(body).find((name) => name !== '<null>') ?? '<null>']
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

async function assertFindsWrong (drawn, seen) {
  for (const [what, plant] of Object.entries(WRONG)) {
    const planted = structuredClone(seen)
    plant(planted)
    assert.equal(await judge(drawn, planted), null, what)
  }
}

describe('the judge of npm run fuzz -- --against=multer', function () {
  this.timeout(60_000)

  for (const [key, sentence] of Object.entries({ ...ofForms, ...inTime })) {
    it(`allows this difference, and nothing else beside it: ${sentence}`, async () => {
      const drawn = { ...OF_FORMS, ...IN_TIME }[key]
      const seen = await observe(drawn)
      const { text } = writeForm(drawn.form, drawn.route)
      assert.notDeepEqual(seen, await askMulter(drawn.route, drawn.form, text))
      assert.ok((await judge(drawn, seen)).includes(sentence))
      await assertFindsWrong(drawn, seen)
    })
  }

  it('finds nothing where both do the same, and a wrong result there', async () => {
    const drawn = caseOf([part(), file()])
    const seen = await observe(drawn)
    assert.deepEqual(await judge(drawn, seen), [])
    await assertFindsWrong(drawn, seen)
    seen.files[0].size++
    assert.equal(await judge(drawn, seen), null)
  })
})
