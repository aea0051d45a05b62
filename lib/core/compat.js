'use strict'

// What differs between environments, each with the version in which it was
// seen.

const { clearTimeout, process, setImmediate, setTimeout } = globalThis // browsers have no node:timers (../web)

/** Captured now, so that tests that fake timers later do not stop requests (@sinonjs/fake-timers 15). */
const nextTick = process?.nextTick
exports.clearTimeout = clearTimeout
exports.setImmediate = setImmediate
exports.setTimeout = setTimeout

/** zone.js 0.16 keeps the caller's zone in the `nextTick` that it patches, but not in a captured one. */
exports.nextTick = (callback, ...args) => nextTick(globalThis.Zone?.current?.wrap?.(callback, 'body-parser') ?? callback, ...args)

/** Jest 30 fails tests that call `require()` after their environment is torn down. */
exports.canLoadLater = process?.env.JEST_WORKER_ID === undefined

/** Node before 20.13 has no `hasSubscribers` on tracing channels. */
exports.subscriberCheck = function (tracingChannel) {
  if ('hasSubscribers' in tracingChannel) return () => tracingChannel.hasSubscribers
  const channels = ['start', 'end', 'asyncStart', 'asyncEnd', 'error'].map((name) => tracingChannel[name])
  return () => channels.some((channel) => channel.hasSubscribers)
}

/**
 * Deno 2.9: the one-shot brotli decoder returns what it decoded before a fault
 * as if that were all. Its stream reports most faults.
 *
 * @param {(bytes: Buffer) => Buffer} decode zlib.brotliDecompressSync
 * @returns {boolean} whether it throws at what is no brotli
 */
exports.reportsFaults = function (decode) {
  try {
    decode(Buffer.of(0xFF))
    return false
  } catch {
    return true
  }
}

/**
 * Bun 1.4 (JavaScriptCore): where stacks have no frames, as secure-json-parse
 * sets it, an error has no stack at all; in V8 it has the first line.
 */
exports.stackOf = function (error) {
  return error.stack ?? (error instanceof SyntaxError ? String(error) : undefined)
}
