'use strict'

const { isDeepStrictEqual } = require('node:util')
const theirs = require('multer')
const ours = require('../../lib/types/multer')
const { outcomeOf } = require('../../test/support/multer-outcome')
const { createRandom, randomInt } = require('../../tools/random')
const { createCase, makeOf } = require('./case')
const classes = require('./differences')

const AT_A_TIME = 4
const MAX_EXAMPLES = 5

/** @returns {Promise<{ found: Array<{ sentence: string, count: number, example: string }>, unexplained: string[] }>} */
module.exports = async function run (cases, seed) {
  const found = new Map() // sentence -> count and example
  const unexplained = []
  let next = 0
  async function work () {
    while (next < cases && unexplained.length < MAX_EXAMPLES) {
      const random = createRandom((seed << 16) + next++)
      const difference = await compare(createCase((limit) => randomInt(limit, random)))
      if (difference === null) continue
      const { sentence, example } = difference
      if (sentence === null) unexplained.push(example)
      else if (found.has(sentence)) found.get(sentence).count++
      else found.set(sentence, { sentence, count: 1, example })
    }
  }
  await Promise.all(Array.from({ length: AT_A_TIME }, work))
  return { found: [...found.values()].sort((a, b) => b.count - a.count), unexplained }
}

async function compare (drawn) {
  const upload = { make: makeOf(drawn), body: drawn.body }
  const [seen, expected] = await Promise.all([ours, theirs].map((multer) => outcomeOf(multer, upload)))
  for (const outcome of [seen, expected]) delete outcome.status
  if (isDeepStrictEqual(seen, expected)) return null
  const { sentence = null } = classes.find(({ includes }) => includes(seen, expected, drawn)) ?? {}
  return { sentence, example: show(drawn, seen, expected) }
}

function show ({ options, route, engine, filter, text, body }, seen, expected) {
  const lines = {
    route: `${route}, ${engine}, filter ${filter}, ${JSON.stringify(options)}, ${body.length} pieces`,
    form: JSON.stringify(text),
    multer: JSON.stringify(expected),
    here: JSON.stringify(seen)
  }
  return Object.entries(lines).map(([name, line]) => `  ${name}: ${line.replace(/x{20,}/g, 'x...')}`).join('\n')
}
