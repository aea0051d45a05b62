'use strict'

const EXAMPLES = 5 // unsteady cases that are named

/** Counts the outcomes of cases. */
class Tally {
  cases = 0
  differences = 0
  failures = 0
  unsteady = 0
  examples = [] // unsteady cases
  rules = {} // name of a listed difference -> count
  met = {} // result of a request -> count

  /** @param {import('./judge').Verdict} verdict */
  count ({ rules, ours }) {
    this.cases++
    for (const { name } of rules) increase(this.rules, name, 1)
    if (ours.creation !== undefined) increase(this.met, 'an option that is wrong', 1)
    for (const request of ours.requests) increase(this.met, resultOf(request), 1)
  }

  countUnsteady (example) {
    this.unsteady++
    if (this.examples.length < EXAMPLES) this.examples.push(example)
  }

  /** @param {Tally} other plain data will do */
  add (other) {
    for (const name of ['cases', 'differences', 'failures', 'unsteady']) this[name] += other[name]
    this.examples = [...this.examples, ...other.examples].slice(0, EXAMPLES)
    for (const counts of ['rules', 'met']) {
      for (const [name, count] of Object.entries(other[counts])) increase(this[counts], name, count)
    }
  }
}

function resultOf ({ steps, hangs }) {
  const step = steps.at(-1)
  if (step === undefined) return 'the code before the parsers never called them'
  if (hangs) return 'no next'
  if (step.thrown !== undefined) return 'thrown'
  if (step.error === 'none') return step.body === 'undefined' ? 'skipped' : 'parsed'
  return step.error.type ?? `${step.error.constructor} without a type`
}

function increase (counts, name, by) {
  counts[name] = (counts[name] ?? 0) + by
}

module.exports = Tally
