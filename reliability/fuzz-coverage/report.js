'use strict'

const path = require('node:path')

/** @returns {string} the figures of a run, in one line */
function figuresText (name, { executions, points, all, features, inputs }, seconds) {
  const each = Math.round(executions / seconds)
  return `${name}: ${executions.toLocaleString('en')} inputs, ${each.toLocaleString('en')}/s, ${points} of ${all} points, ${features} features, ${inputs} inputs kept`
}

/** @returns {string} what was found, and how to see it again */
function findingText (name, { bytes, text, again }, file, plant) {
  const flags = [`--filter=${name}`, `--input=${path.relative(process.cwd(), file)}`, ...(plant === null ? [] : [`--plant=${plant}`])]
  return [
    `FOUND by ${name}${again === false ? ' (not by the same input a second time)' : ''}: ${text}`,
    `input: ${bytes.length} bytes, ${JSON.stringify(bytes.toString('latin1'))}`,
    `again: npm run fuzz:coverage -- ${flags.join(' ')}`
  ].join('\n')
}

module.exports = { figuresText, findingText }
