'use strict'

// The differences from body-parser, in the order of README, each as rules that are
// as narrow as possible. test/docs/differences.js compares the lists.

const zlib = require('node:zlib')
const { differingPaths } = require('./plan-text')

const isCoded = ({ coding }) => coding !== undefined && coding.toLowerCase() !== 'identity' && coding !== ''
/** The error of the last parser that was called, as plain data. */
const errorOf = ({ steps }) => steps.at(-1)?.error ?? {}

const receivedOf = (seen) => Number(errorOf(seen).own?.received?.value.number)

const DECODERS = {
  gzip: zlib.gunzipSync,
  deflate: zlib.inflateSync,
  br: zlib.brotliDecompressSync,
  zstd: zlib.zstdDecompressSync
}

function decode (body, coding) {
  try {
    return DECODERS[coding.toLowerCase()](body, { info: true })
  } catch {
    return null
  }
}

/** Whether bytes follow the end of the coded body. */
const hasMore = (body, coding) => decode(body, coding)?.engine.bytesWritten < body.length

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

/** Whether a difference is allowed, by the name of the rule, and that by the identifier in README's list. */
const RULES = {
  'requests-that-end-early': {
    'a coded request is aborted': (ours, theirs) => isCoded(ours) && theirs.hangs === true && !ours.hangs &&
      errorOf(ours).type === 'request.aborted' && sameBefore(ours, theirs),
    'a coded request is aborted or destroyed, after an end or a fault that zlib found': (ours, theirs, { plan }) =>
      isCoded(ours) && !plan.clean &&
      errorOf(ours).type === 'request.aborted' && errorOf(theirs).type !== 'request.aborted' && sameBefore(ours, theirs)
  },
  'draining-after-an-error': {
    'bytes after the end of a coded body are counted': (ours, theirs) => isCoded(ours) &&
      differOnlyIn(/^listeners\b/, ours, theirs) && theirs.listeners.length === 0 &&
      ours.listeners.every((listener) => ['close: stop', 'data: onData', 'end: stop'].includes(listener))
  },
  'characters-that-are-cut': {
    'a charset whose characters are cut' (ours, theirs, { plan, together }) {
      if (!CUT_CHARSETS.test(charsetsOf(ours, plan))) return false
      if (together !== undefined && (isSame(ours, together) || quotesDollar(ours, together))) return true
      return differOnlyIn(/^steps\.\d+\.(body|error|given)\b/, ours, theirs) &&
        isSame(resultOf(ours), resultOf(together))
    }
  },
  'json-errors-and-long-texts': {
    '$ in the stack of a JSON error': quotesDollar
  },
  'which-error-and-received': {
    'bytes after the end of a coded body, and a second parser': (ours, theirs, { plan, together }) =>
      isCoded(ours) && hasMore(plan.read, ours.coding) &&
      differOnlyIn(/^steps\.[1-9]/, ours, theirs) && isSame(ours, together),
    'which fault of brotli': (ours, theirs, { together }) =>
      ours.coding?.toLowerCase() === 'br' && isSame(ours, together) &&
      differOnlyIn(/^steps\.\d+\.error\.own\.(code\.value\.string|errno\.value\.number)$/, ours, theirs),
    'faulty, and over the limit': (ours, theirs, { plan }) => isCoded(ours) && sameBefore(ours, theirs) &&
      isFaulty(plan.read, ours.coding) &&
      [[ours, theirs], [theirs, ours]].some(([one, other]) =>
        errorOf(one).own?.errno !== undefined && errorOf(other).type === 'entity.too.large'),
    '`received` of a body over the limit': (ours, theirs) =>
      errorOf(ours).type === 'entity.too.large' && receivedOf(ours) > receivedOf(theirs) &&
      differOnlyIn(/^steps\.\d+\.error\.own\.received\.value\.number$/, ours, theirs)
  }
}

// Those of East Asia only where the text is malformed.
const CUT_CHARSETS = /utf-?7|big5|gb|jis|euc/i

function charsetsOf ({ type }, plan) {
  return [type, ...plan.case.stack.map(({ options }) => String(options?.defaultCharset))].join(' ')
}

const OF_OPTIONS = 'options about which both are known to differ are not drawn'

/** The other differences: why no case meets them. */
const NOT_MET = {
  'paused-requests': 'no request is paused',
  'what-verify-throws': OF_OPTIONS,
  'promises-of-verify': OF_OPTIONS,
  'bodies-over-http2': 'requests are of HTTP/1.1',
  'wrong-options': OF_OPTIONS,
  'options-of-this-package': 'only the options of body-parser are drawn',
  loading: 'both packages are loaded before the first case, which replaces none of their dependencies',
  'repairs-of-the-platform': 'keys are few, and nothing follows a frame of zstd'
}

/**
 * The rule that explains every difference of two outcomes; null if none does. `together` is their outcome when
 * everything arrives at once.
 */
function explain ({ request: ours, ...rest }, { request: theirs, ...others }, plan, together) {
  if (ours === undefined || theirs === undefined) return null
  const about = { plan, together: together?.request }
  for (const [difference, named] of Object.entries(RULES)) {
    const isEarly = difference === 'requests-that-end-early' // what comes later on that connection differs, too
    const name = Object.keys(named).find((name) => named[name](ours, theirs, about))
    if (name !== undefined && (isEarly || isSame(rest, others))) return [name]
  }
  return null
}

module.exports = { explain, RULES, NOT_MET }
