'use strict'

// What is printed.

const { inspect } = require('node:util')

const LENGTH = 1000 // characters of a value that are shown

function figuresText ({ documents, valid, broken, cuttings, engine }, seed, seconds) {
  const count = (number) => number.toLocaleString('en')
  return `${count(documents)} documents from seed ${seed}, ${count(valid)} valid and ${count(broken)} broken, cut in ${count(cuttings)} ways, in ${seconds.toFixed(1)} s` +
    (engine === 0 ? '' : `; in ${count(engine)}, JSON.parse mistook one name for another`)
}

function findingText ({ seed, path, source, size, long, ours, theirs }, injectFault) {
  const isText = typeof source === 'string'
  return [
    `DIFFERENCE from JSON.parse, ${isText ? 'of a text' : `in chunks of ${size} bytes`}${long === undefined ? '' : `, strings taken apart from ${long} bytes on`}`,
    `source: ${shorten(JSON.stringify(String(source)))}`,
    ...(isText || source.equals(Buffer.from(String(source))) ? [] : [`bytes: ${shorten(source.toString('hex'))}`]),
    `ours:   ${show(ours)}`,
    `theirs: ${show(theirs)}`,
    `again: npm run fuzz:slices -- --seed=${seed} --path=${path}${injectFault === null ? '' : ` --inject-fault=${injectFault}`}`
  ].join('\n')
}

function show ({ error, value }) {
  if (error === undefined) return shorten(inspect(value, { depth: 20, breakLength: Infinity, compact: true }))
  return shorten(error.constructor === SyntaxError ? String(error) : String(error?.stack ?? error))
}

function shorten (text) {
  return text.length > LENGTH ? `${text.slice(0, LENGTH)}... (${text.length} characters)` : text
}

module.exports = { figuresText, findingText }
