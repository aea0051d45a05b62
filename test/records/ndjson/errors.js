'use strict'

// How many errors a loop makes: capturing a stack takes longer than a record.

const assert = require('node:assert/strict')
const { ndjson } = require('../../../')
const web = require('fast-body-parser/web')
const { loop, NDJSON } = require('../../support/loop')
const within = require('../../support/within')

/** Counts the errors of http-errors that `act` makes: each captures its stack. */
async function countErrors (act) {
  const { captureStackTrace } = Error
  let count = 0
  const counting = (error, ...rest) => {
    if (error.expose !== undefined) count++
    return captureStackTrace(error, ...rest)
  }
  await within(Error, { captureStackTrace: counting }, act)
  return count
}

async function readRequest (body, isBroken) {
  const request = new Request('http://test', { method: 'POST', body, headers: { 'Content-Type': NDJSON } })
  try {
    for await (const record of web.ndjson()(request)) if (record && isBroken) break
  } catch {}
}

async function handleBroken ({ body }) {
  for await (const record of body) if (record) break
}

describe('errors that a loop makes', () => {
  // [what, body, isBroken, count, count of a Request]
  const rows = [
    ['none if it reads all', '[1]\n[2]\n', false, 0],
    ['none for a body without records', '', false, 0],
    ['one if it is left, which traces show', '[1]\n[2]\n', true, 1, 0],
    ['one for a record that is too long', `"${'x'.repeat(2_000_000)}"`, false, 1]
  ]
  for (const [what, body, isBroken, count, ofRequest = count] of rows) {
    it(`are ${what}`, async () => {
      assert.equal(await countErrors(() => loop(ndjson(), body, isBroken ? { handle: handleBroken } : {})), count)
      assert.equal(await countErrors(() => readRequest(body, isBroken)), ofRequest)
    })
  }
})
