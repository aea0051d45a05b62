'use strict'

// What Node has and the Fetch standard has not, if this is Node. Bundles for
// other runtimes must not name its modules, so nothing is imported.

const { process } = globalThis
const { bun, deno, node } = process?.versions ?? {}

/** Bun and Deno imitate Node, but have streams and decoders of their own. */
const isNode = node !== undefined && bun === undefined && deno === undefined

/** @returns {object | undefined} undefined where there is none, and before Node 20.16 */
const findModule = (id) => isNode ? process.getBuiltinModule?.(id) : undefined

module.exports = { findModule, isNode }
