'use strict'

const { createRandom, randomInt } = require('../../tools/random')
const createCase = require('./case')
const judge = require('./judge')
const { askMulter, observe } = require('./observe')

const AT_A_TIME = 4
const MAX_EXAMPLES = 5

/**
 * @typedef {{ sentence: string, count: number, example: string }} Found
 *
 * @param {number} cases
 * @param {number} seed
 * @param {string | null} [fault] to inject: see ./faults.js
 * @returns {Promise<{ differing: number, found: Found[], unexplained: string[] }>} `differing`: how many cases;
 *   several sentences may be needed for one
 */
module.exports = async function run (cases, seed, fault = null) {
  const found = new Map() // sentence -> count and example
  const unexplained = []
  let differing = 0
  let next = 0
  async function work () {
    while (next < cases && unexplained.length < MAX_EXAMPLES) {
      const random = createRandom((seed << 16) + next++)
      const drawn = createCase((limit) => randomInt(limit, random))
      const { seen, expected } = await observe(drawn, fault)
      const sentences = await judge(drawn, seen, expected, askMulter(drawn))
      if (sentences?.length === 0) continue
      differing++
      const example = show(drawn, seen, expected)
      if (sentences === null) unexplained.push(example)
      else for (const sentence of sentences) note(sentence, example)
    }
  }
  function note (sentence, example) {
    const entry = found.get(sentence) ?? { sentence, count: 0, example }
    found.set(sentence, entry)
    entry.count++
    if (example.length < entry.example.length) entry.example = example
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return { differing, found: [...found.values()].sort((a, b) => b.count - a.count), unexplained }
}

function show ({ body, text, options, route, engine, filter, handler, hasLimitsOf }, seen, expected) {
  const handled = `handler ${handler}, limits by ${hasLimitsOf ? 'a function' : 'an object'}`
  const lines = {
    route: `${route}, ${engine}, filter ${filter}, ${handled}, ${JSON.stringify(options)}, ${body.length} pieces`,
    form: JSON.stringify(text),
    multer: JSON.stringify(expected),
    here: JSON.stringify(seen)
  }
  return Object.entries(lines).map(([name, line]) => `  ${name}: ${line.replace(/(.)\1{19,}/g, '$1...')}`).join('\n')
}
