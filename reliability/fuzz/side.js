'use strict'

// Beside body-parser 2.4.0: random options crossed with random requests over real sockets.
//
// A case (generate/) becomes a plan (plan.js), which is carried out on both
// (exchange.js, observe.js); the outcomes must be the same (judge.js), apart from
// the listed differences (allowed-differences.js).

process.env.NO_DEPRECATION = 'http-errors' // warns of the odd statuses that `verify` gives

const { faultsBut, withFault } = require('../faults')
const { anyCase } = require('./generate/case')

/** @type {import('./run').Side} */
module.exports = {
  usage: `Differential fuzzing against body-parser.

  npm run fuzz -- --cases=N --seed=N
  npm run fuzz -- --against=multer     # forms, beside multer
  npm run fuzz -- --against=sent       # forms of a request and of a Request, beside what was sent
  npm run fuzz -- --against=JSON.parse # arrays that are read item by item
`,
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
      return { ...verdict, met: resultsOf(verdict.ours) }
    }
  },
  describe: (drawn, { difference }) => {
    const { describeOutcomes, planText } = require('./plan-text')
    return `${planText(require('./plan').createPlan(drawn))}\n\n${describeOutcomes(difference)}`
  }
}

function resultsOf ({ creation, requests }) {
  return [...creation === undefined ? [] : ['an option that is wrong'], ...requests.map(resultOf)]
}

function resultOf ({ steps, hangs }) {
  const step = steps.at(-1)
  if (step === undefined) return 'the code before the parsers never called them'
  if (hangs) return 'no next'
  if (step.thrown !== undefined) return 'thrown'
  if (step.error === 'none') return step.body === 'undefined' ? 'skipped' : 'parsed'
  return step.error.type ?? `${step.error.constructor} without a type`
}
