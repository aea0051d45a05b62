'use strict'

const assert = require('node:assert/strict')
const { sides } = require('./sides')
const start = require('./start')

const NAMES = { theirs: 'body-parser', ours: 'fast-body-parser' }
const START_TIME = 60_000 // ms, for an agent to load

/**
 * Runs a program with body-parser, then with this package in its place. Every
 * row holds for both.
 *
 * @param {string} program in programs/
 * @param {Row[]} rows
 * @param {Record<string, string>} [env]
 *
 * @typedef {object} Row
 * @property {string} it
 * @property {object} request see start.js
 * @property {{ status: number, body: unknown }} answer
 * @property {unknown} [observed] what the observer saw of the request
 */
function both (program, rows, env) {
  for (const side of Object.keys(NAMES)) one(side, program, rows, env)
}

/** The same with one of them, for what only one can do. */
function one (side, program, rows, env) {
  describe(`with ${NAMES[side]}`, () => {
    let app

    before(async function () {
      this.timeout(START_TIME)
      app = await start((await sides())[side], program, env)
    })

    after(() => app?.stop())

    for (const { it: title, request, answer, observed = null } of rows) {
      it(title, async () => {
        assert.deepEqual(await app.ask(request), answer)
        assert.deepEqual(await app.observed(), observed)
      })
    }
  })
}

module.exports = { both, one }
