'use strict'

// The differences from body-parser, in the order of README, each as rules that are
// as narrow as possible. test/docs/differences.js compares the lists.

const zlib = require('node:zlib')
const { differingPaths } = require('./paths')

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} difference its identifier, in README's list of differences
 * @property {boolean} [breaks] what comes later on that connection differs, too
 * @property {(ours: object, theirs: object, about: object) => boolean} explains
 */

const isCoded = ({ coding }) => coding !== undefined && coding.toLowerCase() !== 'identity' && coding !== ''
/** The error of the last parser that was called, as plain data. */
const errorOf = ({ steps }) => steps.at(-1)?.error ?? {}

const receivedOf = (seen) => Number(errorOf(seen).own?.received?.value.number)

/** Whether the client ends the connection, or the server because of the client. */
const isBroken = ({ end, messages }) => end.how !== 'keep' || messages.some(({ clean }) => !clean)

const DECODERS = { gzip: zlib.gunzipSync, deflate: zlib.inflateSync, br: zlib.brotliDecompressSync, zstd: zlib.zstdDecompressSync }

/** Whether code before the parsers takes bytes of the body, or adds some. */
const takesOrAdds = (plan) => /unshift|read\(1\)/.test(String(plan.case.before))

/** Whether bytes follow the end of the coded body. */
function hasMore (body, coding) {
  try {
    return DECODERS[coding.toLowerCase()](body, { info: true }).engine.bytesWritten < body.length
  } catch {
    return false
  }
}

function isFaulty (body, coding) {
  try {
    DECODERS[coding.toLowerCase()](body)
    return false
  } catch {
    return true
  }
}

/** Whether the parsers before the last one did the same. */
function sameBefore (ours, theirs) {
  const count = Math.min(ours.steps.length, theirs.steps.length) - 1
  return differingPaths(ours.steps.slice(0, count), theirs.steps.slice(0, count)).length === 0
}

/** What the last parser makes of the body. */
function resultOf (seen) {
  const { body, error } = seen?.steps.at(-1) ?? {}
  return { body, error }
}

function differOnlyInResult (ours, theirs) {
  return differingPaths(ours, theirs).every((path) => /^steps\.\d+\.(body|error|given)\b/.test(path))
}

/** Whether code before the parsers reads what has arrived, so that nothing is left of a body in one piece. */
const readsBefore = (plan) => /resume\(\)/.test(String(plan.case.before))

function sameWhole (ours, together) {
  return together !== undefined && (differingPaths(ours, together).length === 0 || quotesDollar(ours, together))
}

/** Whether only our stack is right, as the message contains a `$`. */
function quotesDollar (ours, theirs) {
  return errorOf(ours).message?.includes('$') === true &&
    differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.title$/.test(path)) &&
    errorOf(ours).title === `SyntaxError: ${errorOf(ours).message}`
}

/** @type {Rule[]} of one request */
const OF_REQUESTS = [
  {
    name: 'a paused request',
    difference: 'paused-requests',
    breaks: true,
    explains: (ours, theirs, { plan }) => /pause\(\)/.test(String(plan.case.before)) && !ours.hangs && sameBefore(ours, theirs) &&
      (theirs.hangs === true || (isBroken(plan) && errorOf(theirs).type === 'request.aborted'))
  },
  {
    name: 'a coded request is aborted',
    difference: 'requests-that-end-early',
    breaks: true,
    explains: (ours, theirs) => isCoded(ours) && theirs.hangs === true && !ours.hangs &&
      errorOf(ours).type === 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a coded request is aborted or destroyed, after an end or a fault that zlib found',
    difference: 'requests-that-end-early',
    breaks: true,
    explains: (ours, theirs, { plan }) => isCoded(ours) && (isBroken(plan) || /req\.destroy/.test(String(plan.case.before))) &&
      errorOf(ours).type === 'request.aborted' && errorOf(theirs).type !== 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a charset whose characters are cut',
    difference: 'characters-that-are-cut',
    explains: (ours, theirs, { plan, together }) => CUT_CHARSETS.test(charsetsOf(ours, plan)) &&
      (sameWhole(ours, together) || (differOnlyInResult(ours, theirs) && (readsBefore(plan) || differingPaths(resultOf(ours), resultOf(together)).length === 0)))
  },
  {
    name: '$ in the stack of a JSON error',
    difference: 'json-errors-and-long-texts',
    explains: quotesDollar
  },
  {
    name: 'bytes after the end of a coded body, and a second parser',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { together, message }) => together !== undefined && isCoded(ours) && hasMore(message.read, ours.coding) &&
      differingPaths(ours, theirs).every((path) => /^steps\.[1-9]/.test(path)) && differingPaths(ours, together).length === 0
  },
  {
    name: 'which fault of brotli',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { together }) => ours.coding?.toLowerCase() === 'br' && together !== undefined && differingPaths(ours, together).length === 0 &&
      differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.own\.(code\.value\.string|errno\.value\.number)$/.test(path))
  },
  {
    name: 'faulty, and over the limit',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { plan, message }) => isCoded(ours) && (isFaulty(message.read, ours.coding) || takesOrAdds(plan)) && sameBefore(ours, theirs) &&
      [[ours, theirs], [theirs, ours]].some(([one, other]) => errorOf(one).own?.errno !== undefined && errorOf(other).type === 'entity.too.large')
  },
  {
    name: '`received` of a body over the limit',
    difference: 'which-error-and-received',
    explains: (ours, theirs) => errorOf(ours).type === 'entity.too.large' && receivedOf(ours) > receivedOf(theirs) &&
      differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.own\.received\.value\.number$/.test(path))
  },
  {
    name: 'bytes after the end of zstd',
    difference: 'repairs-of-the-platform',
    explains: (ours, theirs, { together, message }) => together !== undefined && ours.coding?.toLowerCase() === 'zstd' &&
      hasMore(message.read, ours.coding) && differingPaths(ours, together).length === 0
  }
]

// Those of East Asia only where the text is malformed.
const CUT_CHARSETS = /utf-?7|big5|gb|jis|euc/i

function charsetsOf ({ type }, plan) {
  return [type, ...plan.case.stack.map(({ options }) => String(options?.defaultCharset))].join(' ')
}

/** @type {Rule[]} of a whole case: parsers that are not made, or end the process */
const OF_CASES = [
  {
    name: 'verify throws a value that is not an error',
    difference: 'what-verify-throws',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined && ours.crash === undefined && hasOption(plan, 'verify') &&
      ours.requests.some((request) => errorOf(request).status === 403 && errorOf(request).constructor === 'ForbiddenError')
  },
  {
    name: 'verify throws an error with a getter',
    difference: 'what-verify-throws',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined && ours.crash === undefined && hasOption(plan, 'verify') &&
      ours.requests.some((request) => errorOf(request).status === 402)
  },
  {
    name: 'verify returns a promise that is rejected',
    difference: 'promises-of-verify',
    explains: (ours, theirs, { plan }) => ours.crash === undefined && hasOption(plan, 'verify') && plan.case.stack.some(({ options }) => /Promise.reject/.test(String(options?.verify))) &&
      ours.requests.some((request) => errorOf(request).status === 403)
  },
  {
    name: 'a defaultCharset that is not a string',
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => ours.creation?.message === 'option defaultCharset must be a string' &&
      plan.case.stack.some(({ options }) => Boolean(options?.defaultCharset) && typeof options.defaultCharset !== 'string')
  },
  {
    name: 'a BigInt or a symbol for a number',
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => /^option (parameterLimit|depth) must be/.test(ours.creation?.message ?? '') &&
      theirs.creation?.constructor === 'TypeError' &&
      plan.case.stack.some(({ options }) => [options?.parameterLimit, options?.depth].some((value) => ['bigint', 'symbol'].includes(typeof value)))
  },
  {
    name: "parameterLimit: 'Infinity'",
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => plan.case.stack.some(({ options }) => options?.parameterLimit === 'Infinity') &&
      differingPaths(ours, theirs).every((path) => /^requests\.\d+\.steps\.\d+\.(body|error|given)\b/.test(path))
  }
]

/** The other differences: why no case meets them. */
const NOT_MET = {
  'bodies-over-http2': 'requests are of HTTP/1.1',
  'draining-after-an-error': 'no body is over drainLimit',
  'options-of-this-package': 'only the options of body-parser are drawn',
  loading: 'both packages are loaded before the first case, which replaces none of their dependencies'
}

function hasOption (plan, name) {
  return plan.case.stack.some(({ options }) => options?.[name] !== undefined)
}

/**
 * The rules that explain every difference of two outcomes.
 *
 * @param {object} ours
 * @param {object} theirs
 * @param {import('./plan').Plan} plan
 * @param {object | undefined} together their outcome when everything arrives
 *   at once
 * @returns {Rule[] | null} null if some difference is not listed
 */
function explain (ours, theirs, plan, together) {
  const whole = OF_CASES.find((rule) => rule.explains(ours, theirs, { plan }))
  if (whole !== undefined) return [whole]

  const rules = []
  let broken = false
  for (const [index, request] of ours.requests.entries()) {
    const other = theirs.requests[index]
    if (other === undefined) return broken ? rules : null
    if (differingPaths(request, other).length === 0) continue
    const about = { plan, message: plan.messages[index], together: together?.requests?.[index] }
    const rule = OF_REQUESTS.find((rule) => rule.explains(request, other, about))
    if (rule !== undefined) rules.push(rule)
    else if (!broken) return null
    broken ||= rule?.breaks === true
  }
  const rest = differingPaths({ ...ours, requests: 0 }, { ...theirs, requests: 0 })
  const counts = ours.requests.length === theirs.requests.length
  return rules.length > 0 && (broken || (rest.length === 0 && counts)) ? rules : null
}

module.exports = { explain, lists: [OF_REQUESTS, OF_CASES], NOT_MET }
