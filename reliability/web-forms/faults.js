'use strict'

// Faults that the fuzzer must find, `--inject-fault=NAME`: what becomes of an outcome.

/** @type {Record<string, (seen: object) => void>} */
module.exports = {
  field ({ fields }) {
    for (const name of Object.keys(fields ?? {}).slice(0, 1)) delete fields[name]
  },
  content ({ files }) {
    for (const file of Object.values(files ?? {}).flat()) if (file.bytes) file.bytes = file.bytes.slice(2)
  },
  error: (seen) => { if (seen.error?.status === 413) seen.error.status = 400 },
  swallowed: (seen) => { delete seen.error },
  left: (seen) => { if (seen.error !== undefined) seen.left++ },
  part: ({ taken }) => { taken?.pop() }
}
