'use strict'

const assert = require('node:assert/strict')
const { requests: all } = require('./requests')

/**
 * Sends the same requests to an app on this package and to one on body-parser.
 * The answers must be right, and the same.
 *
 * @param {() => Promise<import('./serve').Side>} createOurs
 * @param {() => Promise<import('./serve').Side>} createTheirs
 * @param {object} [options]
 * @param {import('./requests').Request[]} [options.requests]
 * @param {Record<string, object>} [options.theirs] rows by name, where
 *   body-parser is known to see something else: that
 */
function alike (createOurs, createTheirs, { requests = all, theirs: differing = {} } = {}) {
  let ours, theirs

  before(async function () {
    this.timeout(180_000) // npm may have to install
    ours = await createOurs()
    theirs = await createTheirs()
  })

  after(async () => {
    await ours?.close()
    await theirs?.close()
  })

  for (const request of requests) {
    it(request.it, async () => {
      const answer = await ours.ask(request)
      check(answer, request)
      const other = await theirs.ask(request)
      if (request.it in differing) check(other, { ...request, ...differing[request.it] })
      else assert.deepEqual(answer, other)
    })
  }

  answersMany(requests, (request) => ours.ask(request))
}

function answersMany (requests, ask) {
  it('answers many at once', async () => {
    const right = requests.filter(({ seen }) => seen !== undefined)
    const sent = Array.from({ length: 60 }, (_, index) => right[index % right.length])
    const answers = await Promise.all(sent.map(ask))
    for (const [index, answer] of answers.entries()) check(answer, sent[index])
  })
}

function check (answer, { status = 200, seen, error }) {
  const { text } = answer
  assert.equal(answer.status, error?.status ?? status, text)
  if (seen !== undefined) assert.deepEqual(JSON.parse(text), seen)
  else if (error?.type !== undefined && text.includes('"type"')) assert.equal(JSON.parse(text).error.type, error.type)
}

module.exports = { alike }
