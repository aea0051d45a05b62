'use strict'

// What parsers tell each other about a request, a connection or an error.
// Several copies of this package may serve one app: express may have one, and
// the app another. So the tables belong to the process, not to the modules of
// one copy.

/**
 * @typedef {object} SharedTables weak tables, whose entries last as long as their keys. Null until the first entry, so
 *   that an app which needs none pays for none
 * @property {WeakMap<object, Record<string, string>> | null} errors of parsers -> fields that their responses should
 *   have; null until somebody asks
 * @property {WeakMap<object, unknown[]> | null} mismatches request -> options `type` of the parsers that have skipped
 *   it; null until somebody asks
 * @property {WeakMap<object, PropertyDescriptorMap> | null} originals error of the app's -> its fields before ours
 * @property {WeakSet<object> | null} closing connections, from which nothing more is read
 * @property {WeakMap<object, 'loop' | 'handler'> | null} claims request -> what of the app reads it
 * @property {{ parsers: object[], warn: Function | null } | null} limits of the first parsers that were made: see
 *   ./hidden-limit.js. Not weak, but bounded
 * @property {WeakMap<object, () => void> | null} passed request without content that has passed a refuseUnparsed, which
 *   has refused what no parser had seen -> warns of their order, for a parser that comes later
 * @property {WeakMap<object, import('./body/read-promise').RequestReads> | null} visits request -> what parsers know
 *   of it
 */
const NAMES = ['claims', 'closing', 'errors', 'limits', 'mismatches', 'originals', 'passed', 'visits']

/**
 * Versions of this package that share it may add tables, and fields of their
 * entries. A version that changes or removes one takes another number, and
 * shares nothing with those before.
 */
const KEY = Symbol.for('fast-body-parser.marks.1')

/** The process, which browsers lack: test runners report what is added to the global object (@hapi/lab 26). */
const host = globalThis.process ?? globalThis

/** Intentionally module-level, and the same object for all copies. */
const sharedTables = host[KEY] ?? publish({})
for (const name of NAMES) sharedTables[name] ??= null // another version may not know it

/** Not enumerable. Where the host is frozen, this copy is alone. */
function publish (sharedTables) {
  try {
    Object.defineProperty(host, KEY, { __proto__: null, configurable: true, value: sharedTables })
  } catch {}
  return sharedTables
}

module.exports = sharedTables
