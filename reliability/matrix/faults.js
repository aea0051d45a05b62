'use strict'

// Faults that the matrix must find, `--inject-fault=NAME`: those of ../faults.js that it can see, and some of what an
// app is given.

const fs = require('node:fs')
const path = require('node:path')
const { FAULTS } = require('../faults')

const { limit, listener, ...shared } = FAULTS // bodies are far from limits; a listener not of lib/

/** @param {(folders: import('./folders')) => void} leave something */
const leaving = (leave) => (req, next, { folders }) => (...args) => {
  if (folders !== null) leave(folders)
  next(...args)
}

/** By name: what the parser calls instead of `next`. @type {Record<string, Function>} */
module.exports = {
  ...shared,
  content: (req, next) => next, // what the app is given lacks a byte: see exchange.js
  file: leaving(({ temporary }) => fs.writeFileSync(path.join(temporary, 'injected'), '')),
  descriptor: leaving(({ folder }) => fs.openSync(path.join(folder, 'injected'), 'w'))
}
