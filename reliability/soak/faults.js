'use strict'

// Faults that the soak must find: `--inject-fault=NAME`.

const kept = []

/** @type {Record<string, (req: object, storage: object) => void>} run for every request that is answered */
module.exports = {
  leak: (req) => { kept.push(req) },
  handles: () => { setTimeout(() => {}, 3_600_000) },
  context: (req, storage) => { if (Math.random() < 0.01) storage.enterWith({ id: 'another' }) },
  rejection: () => { if (Math.random() < 0.01) Promise.reject(new Error('injected')) }
}
