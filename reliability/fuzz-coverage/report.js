'use strict'

// What is printed.

const path = require('node:path')

/** @returns {string} the figures of a run, in one line */
function figuresText (name, { executions, points, all, features, inputs }, seconds) {
  const rate = Math.round(executions / seconds)
  return `${name}: ${executions.toLocaleString('en')} inputs, ${rate.toLocaleString('en')}/s, ${points} of ${all} points, ${features} features, ${inputs} inputs kept`
}

/** @returns {string} a finding, and the command that repeats it */
function findingText (name, { bytes, text, isRepeatable }, file, injectFault) {
  const flags = [`--filter=${name}`, `--input=${path.relative(process.cwd(), file)}`, ...(injectFault === null ? [] : [`--inject-fault=${injectFault}`])]
  return [
    `DIFFERENCE in ${name}${isRepeatable === false ? ' (not for the same input a second time)' : ''}: ${text}`,
    `input: ${bytes.length} bytes, ${JSON.stringify(bytes.toString('latin1'))}`,
    `again: npm run fuzz:coverage -- ${flags.join(' ')}`
  ].join('\n')
}

module.exports = { figuresText, findingText }
