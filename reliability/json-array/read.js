'use strict'

const parseJson = require('../../lib/json-keys/json').createEngineParse()
const { createItems } = require('../../lib/records/json-array/array-items')

const decode = ({ buffer, byteLength, byteOffset }) => Buffer.from(buffer, byteOffset, byteLength).toString()

/** What is read of a document, whose pieces come one by one. */
module.exports = function read ({ bytes, cuts, most = 0, path, sliceBytes }, { parse = parseJson, ...settings } = {}) {
  const source = createItems({ decode }, { parse, settings: { depth: Infinity, path, record: Infinity, ...settings } })
  if (sliceBytes !== undefined) source.texts.sliceBytes = sliceBytes
  const items = []
  const takeAll = () => { while (source.find()) items.push(source.take(), ...source.takeParsed(most)) }
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
