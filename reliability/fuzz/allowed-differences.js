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

const DECODERS = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync
}

/** Whether code before the parsers does so. */
const hasBefore = (pattern, plan) => pattern.test(String(plan.case.before))

function decode (body, coding) {
  try {
    return DECODERS[coding.toLowerCase()](body, { info: true })
  } catch {
    return null
  }
}

/** Whether bytes follow the end of the coded body. */
const hasMore = (body, coding) => decode(body, coding)?.engine.bytesWritten < body.length

const MOST = 16 // bytes that follow a frame of zstd, in the bodies that are drawn

/** Whether Node 22 and 24 read it wrongly: a second frame of zstd, or bytes behind one of 64 KiB. */
function isMisread (body) {
  const length = decode(body, 'zstd')?.engine.bytesWritten
  if (length !== undefined) return length < body.length && decode(body.subarray(length), 'zstd') !== null
  return Array.from({ length: MOST }, (_, more) => body.subarray(0, -1 - more)).some((one) => !isFaulty(one, 'zstd'))
}

const isFaulty = (body, coding) => decode(body, coding) === null

/** Whether the parsers before the last one did the same. */
function sameBefore (ours, theirs) {
  const count = Math.min(ours.steps.length, theirs.steps.length) - 1
  return isSame(ours.steps.slice(0, count), theirs.steps.slice(0, count))
}

/** What the last parser makes of the body. */
function resultOf (seen) {
  const { body, error } = seen?.steps.at(-1) ?? {}
  return { body, error }
}

/** Whether only our stack is right, as the message contains a `$`. */
function quotesDollar (ours, theirs) {
  return errorOf(ours).message?.includes('$') === true &&
    differOnlyIn(/^steps\.\d+\.error\.title$/, ours, theirs) &&
    errorOf(ours).title === `SyntaxError: ${errorOf(ours).message}`
}

/** Whether all that differs is in these places. */
const differOnlyIn = (pattern, ours, theirs) => differingPaths(ours, theirs).every((path) => pattern.test(path))

const isSame = (one, other) => other !== undefined && differingPaths(one, other).length === 0

/** @type {Rule[]} of one request */
const OF_REQUESTS = [
  {
    name: 'a paused request',
    difference: 'paused-requests',
    breaks: true,
    explains: (ours, theirs, { plan }) => hasBefore(/pause\(\)/, plan) && !ours.hangs && sameBefore(ours, theirs) &&
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
    explains: (ours, theirs, { plan }) => isCoded(ours) && (isBroken(plan) || hasBefore(/req\.destroy/, plan)) &&
      errorOf(ours).type === 'request.aborted' && errorOf(theirs).type !== 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a charset whose characters are cut',
    difference: 'characters-that-are-cut',
    explains (ours, theirs, { plan, together }) {
      if (!CUT_CHARSETS.test(charsetsOf(ours, plan))) return false
      if (together !== undefined && (isSame(ours, together) || quotesDollar(ours, together))) return true
      // Code before the parsers may read what has arrived, so that nothing is left of a body in one piece.
      return differOnlyIn(/^steps\.\d+\.(body|error|given)\b/, ours, theirs) &&
        (hasBefore(/resume\(\)/, plan) || isSame(resultOf(ours), resultOf(together)))
    }
  },
  {
    name: '$ in the stack of a JSON error',
    difference: 'json-errors-and-long-texts',
    explains: quotesDollar
  },
  {
    name: 'bytes after the end of a coded body, and a second parser',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { together, message }) => isCoded(ours) && hasMore(message.read, ours.coding) &&
      differOnlyIn(/^steps\.[1-9]/, ours, theirs) && isSame(ours, together)
  },
  {
    name: 'which fault of brotli',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { together }) => ours.coding?.toLowerCase() === 'br' && isSame(ours, together) &&
      differOnlyIn(/^steps\.\d+\.error\.own\.(code\.value\.string|errno\.value\.number)$/, ours, theirs)
  },
  {
    name: 'faulty, and over the limit',
    difference: 'which-error-and-received',
    explains: (ours, theirs, { plan, message }) => isCoded(ours) && sameBefore(ours, theirs) &&
      // Takes bytes of it, or adds some.
      (isFaulty(message.read, ours.coding) || hasBefore(/unshift|read\(1\)/, plan)) &&
      [[ours, theirs], [theirs, ours]].some(([one, other]) =>
        errorOf(one).own?.errno !== undefined && errorOf(other).type === 'entity.too.large')
  },
  {
    name: '`received` of a body over the limit',
    difference: 'which-error-and-received',
    explains: (ours, theirs) => errorOf(ours).type === 'entity.too.large' && receivedOf(ours) > receivedOf(theirs) &&
      differOnlyIn(/^steps\.\d+\.error\.own\.received\.value\.number$/, ours, theirs)
  },
  {
    name: 'bytes after the end of zstd',
    difference: 'repairs-of-the-platform',
    explains: (ours, theirs, { together, message }) => ours.coding?.toLowerCase() === 'zstd' &&
      hasMore(message.read, ours.coding) && isSame(ours, together)
  },
  {
    name: 'a frame of zstd that Node reads wrongly',
    difference: 'repairs-of-the-platform',
    explains: (ours, theirs, { message }) => ours.coding?.toLowerCase() === 'zstd' && isMisread(message.read) &&
      differOnlyIn(/^(calls|steps)\b/, ours, theirs)
  }
]

// Those of East Asia only where the text is malformed.
const CUT_CHARSETS = /utf-?7|big5|gb|jis|euc/i

function charsetsOf ({ type }, plan) {
  return [type, ...plan.case.stack.map(({ options }) => String(options?.defaultCharset))].join(' ')
}

/** Whether the options of some parser are so. */
const hasOptions = (plan, test) => plan.case.stack.some(({ options }) => test(options ?? {}))

/** Whether ours gives an error, while `verify` is called. */
const failsInVerify = (ours, plan, test) => ours.crash === undefined &&
  hasOptions(plan, ({ verify }) => verify !== undefined) &&
  ours.requests.some((request) => test(errorOf(request)))

/** @type {Rule[]} of a whole case: parsers that are not made, or end the process */
const OF_CASES = [
  {
    name: 'verify throws a value that is not an error',
    difference: 'what-verify-throws',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined &&
      failsInVerify(ours, plan, ({ status, constructor }) => status === 403 && constructor === 'ForbiddenError')
  },
  {
    name: 'verify throws an error with a getter',
    difference: 'what-verify-throws',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined &&
      failsInVerify(ours, plan, ({ status }) => status === 402)
  },
  {
    name: 'verify returns a promise that is rejected',
    difference: 'promises-of-verify',
    explains: (ours, theirs, { plan }) => hasOptions(plan, ({ verify }) => /Promise.reject/.test(String(verify))) &&
      failsInVerify(ours, plan, ({ status }) => status === 403)
  },
  {
    name: 'verify returns a promise, and the client is gone before it is settled',
    difference: 'promises-of-verify',
    explains: (ours, theirs, { plan }) => hasOptions(plan, ({ verify }) => /=> Promise\./.test(String(verify))) &&
      isBroken(plan) && differOnlyIn(/^requests\.\d+\.steps\.\d+\./, ours, theirs) &&
      ours.requests.some((request) => errorOf(request).type === 'request.aborted')
  },
  {
    name: 'a defaultCharset that is not a string',
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => ours.creation?.message === 'option defaultCharset must be a string' &&
      hasOptions(plan, ({ defaultCharset }) => Boolean(defaultCharset) && typeof defaultCharset !== 'string')
  },
  {
    name: 'a BigInt or a symbol for a number',
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => /^option (parameterLimit|depth) must be/.test(ours.creation?.message ?? '') &&
      theirs.creation?.constructor === 'TypeError' &&
      hasOptions(plan,
        ({ parameterLimit, depth }) => [parameterLimit, depth].some((value) => /bigint|symbol/.test(typeof value)))
  },
  {
    name: "parameterLimit: 'Infinity'",
    difference: 'wrong-options',
    explains: (ours, theirs, { plan }) => hasOptions(plan, ({ parameterLimit }) => parameterLimit === 'Infinity') &&
      differOnlyIn(/^requests\.\d+\.steps\.\d+\.(body|error|given)\b/, ours, theirs)
  }
]

/** The other differences: why no case meets them. */
const NOT_MET = {
  'bodies-over-http2': 'requests are of HTTP/1.1',
  'draining-after-an-error': 'no body is over drainLimit',
  'options-of-this-package': 'only the options of body-parser are drawn',
  loading: 'both packages are loaded before the first case, which replaces none of their dependencies'
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
