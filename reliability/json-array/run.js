'use strict'

const { createRandom, randomInt } = require('../../tools/random')
const parseJson = require('../../lib/json-keys/json').createEngineParse()
const ArraySource = require('../../lib/records/json-array/source')
const drawDocument = require('./document')
const FAULTS = require('./faults')
const judge = require('./judge')

const decode = ({ buffer, byteLength, byteOffset }) => Buffer.from(buffer, byteOffset, byteLength).toString()

/**
 * @param {number} cases
 * @param {number} seed
 * @param {string | null} [fault] to inject: see ./faults.js
 * @returns {{ broken: number, refused: number, difference: string | null }} the first difference ends the run
 */
module.exports = function run (cases, seed, fault = null) {
  let broken = 0
  let refused = 0
  for (let number = 0; number < cases; number++) {
    const random = createRandom(Math.imul(seed, 0x9E3779B1) + number)
    const document = drawDocument((limit) => randomInt(limit, random))
    const seen = read(document)
    if (fault !== null) FAULTS[fault](seen)
    const difference = judge(document, seen)
    if (difference !== null) return { broken, refused, difference: `${difference}\n${show(document, seen)}` }
    if (seen.error?.type === 'entity.parse.failed') broken++
    else if (seen.error !== null) refused++
  }
  return { broken, refused, difference: null }
}

/** What is read of a document, whose pieces come one by one. */
function read ({ bytes, cuts, path, sliceBytes }, { parse = parseJson, ...settings } = {}) {
  const source = new ArraySource(decode, { parse, settings: { depth: Infinity, path, record: Infinity, ...settings } })
  if (sliceBytes !== undefined) source.texts.sliceBytes = sliceBytes
  const items = []
  const takeAll = () => { while (source.find()) items.push(source.take()) }
  try {
    for (const [index, cut] of [0, ...cuts].entries()) {
      source.write(bytes.subarray(cut, cuts[index]))
      takeAll()
    }
    source.end()
    takeAll()
    return { items, error: null }
  } catch (error) {
    return { items, error }
  }
}

function show ({ bytes, cuts, path, sliceBytes }, { items, error }) {
  const pieces = cuts.length > 6 ? 'each byte' : cuts
  const lines = { text: bytes.toString(), path, cuts: pieces, sliceBytes, items, error: error?.message }
  return Object.entries(lines).map(([name, line]) => `  ${name}: ${JSON.stringify(line)}`).join('\n')
}

module.exports.read = read
