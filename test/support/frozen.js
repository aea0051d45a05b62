'use strict'

// For `mocha --require`: freezes the prototypes of the language, as some
// hardened apps do. Those of errors are left, as Node.js assigns names to its errors.

for (const name of Object.getOwnPropertyNames(globalThis)) {
  const { prototype } = /^[A-Z]/.test(name) ? Object(globalThis[name]) : {}
  if (prototype !== undefined && !/(Error|Exception)$/.test(name)) Object.freeze(prototype)
}
