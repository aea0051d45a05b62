'use strict'

// The differences that the README lists, each as a rule that is as narrow as
// possible. The rest of that list cannot occur here: HTTP/2, `lib/`, texts that
// are too long for a string, and `req.destroyed`, which is not compared.

const zlib = require('node:zlib')
const { differingPaths } = require('./paths')

/**
 * @typedef {object} Rule
 * @property {string} name
 * @property {string} line how the README's item begins
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

/** Whether a part of the body passes before the parsers are called. */
const losesSome = (plan) => takesOrAdds(plan) || String(plan.case.before).includes('resume')

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

/** Whether only our stack is right, as the message contains a `$`. */
function quotesDollar (ours, theirs) {
  return errorOf(ours).message?.includes('$') === true &&
    differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.title$/.test(path)) &&
    errorOf(ours).title === `SyntaxError: ${errorOf(ours).message}`
}

/** @type {Rule[]} of one request */
const OF_REQUESTS = [
  {
    name: 'a coded request is aborted',
    line: 'A coded request that its client aborts',
    breaks: true,
    explains: (ours, theirs) => isCoded(ours) && theirs.hangs === true && !ours.hangs &&
      errorOf(ours).type === 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a coded request is aborted, after an end or a fault that zlib found',
    line: 'A coded request that its client aborts',
    breaks: true,
    explains: (ours, theirs, { plan }) => isCoded(ours) && isBroken(plan) && errorOf(ours).type === 'request.aborted' &&
      errorOf(theirs).type !== 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a request that user code destroys at once',
    line: 'A request that user code destroys',
    breaks: true,
    explains: (ours, theirs, { plan }) => /go\(\);.*req\.destroy/.test(String(plan.case.before)) &&
      errorOf(ours).type === 'request.aborted' && sameBefore(ours, theirs)
  },
  {
    name: 'a paused request',
    line: 'A request that was paused is resumed',
    breaks: true,
    explains: (ours, theirs, { plan }) => /pause\(\)/.test(String(plan.case.before)) && !ours.hangs && sameBefore(ours, theirs) &&
      (theirs.hangs === true || (isBroken(plan) && errorOf(theirs).type === 'request.aborted'))
  },
  {
    name: 'a coded request with setEncoding',
    line: 'A coded body of a request that had `setEncoding` called',
    explains: (ours, theirs, { plan }) => isCoded(ours) && /setEncoding/.test(String(plan.case.before)) &&
      errorOf(ours).type === 'stream.encoding.set' && sameBefore(ours, theirs)
  },
  {
    name: '$ in the stack of a JSON error',
    line: "A JSON error's `stack` quotes the body as it is",
    explains: quotesDollar
  },
  {
    name: 'a charset whose characters are cut',
    line: 'A text in utf-7, utf-16, big5 or gb18030 is the same in whatever pieces it arrives',
    explains: (ours, theirs, { plan, together }) => together !== undefined && CUT_CHARSETS.test(charsetsOf(ours, plan)) &&
      (differingPaths(ours, together).length === 0 || quotesDollar(ours, together))
  },
  {
    name: 'a charset whose characters are cut, of what cannot come in one piece',
    line: 'A text in utf-7, utf-16, big5 or gb18030 is the same in whatever pieces it arrives',
    explains: (ours, theirs, { plan, message, together }) => together !== undefined && CUT_CHARSETS.test(charsetsOf(ours, plan)) &&
      (losesSome(plan) || (message.read.length > PIECE && differingPaths(ours, theirs).every((path) => TEXT.test(path))))
  },
  {
    name: 'bytes after the end of br or zstd',
    line: 'A text in utf-7, utf-16, big5 or gb18030 is the same in whatever pieces it arrives',
    explains: (ours, theirs, { together, message }) => together !== undefined && ['br', 'zstd'].includes(ours.coding?.toLowerCase()) &&
      hasMore(message.read, ours.coding) && differingPaths(ours, together).length === 0
  },
  {
    name: 'what is wrong with a br body',
    line: 'The `code` and `errno` of a br body that is corrupt',
    explains: (ours, theirs, { together }) => together !== undefined && ours.coding?.toLowerCase() === 'br' &&
      differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.own\.(code|errno)\.value\.(string|number)$/.test(path)) &&
      differingPaths(ours, together).length === 0
  },
  {
    name: 'bytes after the end of a coded body, and a second parser',
    line: 'Bytes after the end of a compressed body',
    explains: (ours, theirs, { together, message }) => together !== undefined && isCoded(ours) && hasMore(message.read, ours.coding) &&
      differingPaths(ours, theirs).every((path) => /^steps\.[1-9]/.test(path)) && differingPaths(ours, together).length === 0
  },
  {
    name: 'faulty, and over the limit',
    line: 'A faulty compressed body that also breaks the limit',
    explains: (ours, theirs, { plan, message }) => isCoded(ours) && (isFaulty(message.read, ours.coding) || takesOrAdds(plan)) && sameBefore(ours, theirs) &&
      [[ours, theirs], [theirs, ours]].some(([one, other]) => errorOf(one).own?.errno !== undefined && errorOf(other).type === 'entity.too.large')
  },
  {
    name: '`readableEnded` after an error',
    line: 'When `next` is called, `req.destroyed` may be true',
    explains: (ours, theirs) => errorOf(ours).status === 415 && differingPaths(ours, theirs).every((path) => /^steps\.\d+\.ended$/.test(path))
  },
  {
    name: '`received` of a body over the limit',
    line: 'The `received` of a body over the limit may be larger',
    explains: (ours, theirs) => errorOf(ours).type === 'entity.too.large' && receivedOf(ours) > receivedOf(theirs) &&
      differingPaths(ours, theirs).every((path) => /^steps\.\d+\.error\.own\.received\.value\.number$/.test(path))
  }
]

// Those of East Asia only where the text is malformed.
const PIECE = 60_000 // bytes; a socket hands out no more than 65,536 at a time
const TEXT = /^steps\.\d+\.(body\.string|error\.(message|title)|error\.own\.(message|body)\.value\.string)$/
const CUT_CHARSETS = /utf-?7|utf-?16|utf-?32|big5|gb|jis|euc/i

function charsetsOf ({ type }, plan) {
  return [type, ...plan.case.stack.map(({ options }) => String(options?.defaultCharset))].join(' ')
}

/** @type {Rule[]} of a whole case: parsers that are not made, or end the process */
const OF_CASES = [
  {
    name: 'verify throws what is no error',
    line: 'A `verify` that throws `null`, `undefined`, a primitive',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined && ours.crash === undefined && hasOption(plan, 'verify') &&
      ours.requests.some((request) => errorOf(request).status === 403 && errorOf(request).constructor === 'ForbiddenError')
  },
  {
    name: 'verify throws an error with a getter',
    line: 'A `verify` error that cannot be extended',
    explains: (ours, theirs, { plan }) => theirs.crash !== undefined && ours.crash === undefined && hasOption(plan, 'verify') &&
      ours.requests.some((request) => errorOf(request).status === 402)
  },
  {
    name: 'verify returns a promise that is rejected',
    line: '`verify` may return a promise',
    explains: (ours, theirs, { plan }) => ours.crash === undefined && hasOption(plan, 'verify') && plan.case.stack.some(({ options }) => /Promise.reject/.test(String(options?.verify))) &&
      ours.requests.some((request) => errorOf(request).status === 403)
  },
  {
    name: 'a defaultCharset that is no string',
    line: 'A `defaultCharset` that is no string',
    explains: (ours, theirs, { plan }) => ours.creation?.message === 'option defaultCharset must be a string' &&
      plan.case.stack.some(({ options }) => Boolean(options?.defaultCharset) && typeof options.defaultCharset !== 'string')
  },
  {
    name: 'a BigInt or a symbol for a number',
    line: 'A `parameterLimit` or `depth` that is a BigInt',
    explains: (ours, theirs, { plan }) => /^option (parameterLimit|depth) must be/.test(ours.creation?.message ?? '') &&
      theirs.creation?.constructor === 'TypeError' &&
      plan.case.stack.some(({ options }) => [options?.parameterLimit, options?.depth].some((value) => ['bigint', 'symbol'].includes(typeof value)))
  },
  {
    name: "parameterLimit: 'Infinity'",
    line: "`parameterLimit: 'Infinity'` is Infinity",
    explains: (ours, theirs, { plan }) => plan.case.stack.some(({ options }) => options?.parameterLimit === 'Infinity') &&
      differingPaths(ours, theirs).every((path) => /^requests\.\d+\.steps\.\d+\.body\./.test(path))
  }
]

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

module.exports = { explain, rules: [...OF_REQUESTS, ...OF_CASES] }
