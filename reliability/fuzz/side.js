'use strict'

// Beside body-parser 2.4.0: a case (generate/) becomes a plan (message), which is carried out on both (exchange).

process.env.NO_DEPRECATION = 'http-errors' // warns of the odd statuses that `verify` gives

const { faultsBut, withFault } = require('../faults')
const { anyCase } = require('./generate/case')

/** @type {import('./run').Side} */
module.exports = {
  what: 'random options crossed with random requests over real sockets',
  again: 'npm run fuzz --',
  cases: 10_000,
  faults: faultsBut('budget'), // no parser has one
  anyCase,
  createJudge (fault) {
    process.removeAllListeners('warning') // odd limits such as '1zb' are intended
    process.on('uncaughtException', require('./exchange').crashed)
    const judge = require('./judge')({ subject: withFault(require('../..'), fault), oracle: require('body-parser') })
    return async (drawn) => {
      const verdict = await judge(drawn)
      return { ...verdict, met: [resultOf(verdict.ours)] }
    }
  },
  describe: (drawn, { difference }) => {
    const { describeOutcomes, planText } = require('./plan-text')
    return `${planText(require('./message').createPlan(drawn))}\n\n${describeOutcomes(difference)}`
  }
}

function resultOf ({ creation, request }) {
  if (creation !== undefined) return 'an option that is wrong'
  if (request === undefined) return 'a request that Node refuses'
  const { steps, hangs } = request
  const step = steps.at(-1)
  if (step === undefined) return 'the code before the parsers never called them'
  if (hangs) return 'no next'
  if (step.thrown !== undefined) return 'thrown'
  if (step.error === 'none') return step.body === 'undefined' ? 'skipped' : 'parsed'
  return step.error.type ?? `${step.error.constructor} without a type`
}
