'use strict'

const path = require('node:path')
const { installNode } = require('../tools/npm')
const UserError = require('../tools/user-error')

/** The option --node of the commands. */
const NODE = { value: 'VERSION', read: nodeVersion, help: 'run under another Node, such as 24 (installed from npm)' }

function nodeVersion (text) {
  if (!/^\d+(\.\d+){0,2}$/.test(text)) throw new UserError(`must be a version of Node.js such as 24 or 22.15.0, not ${JSON.stringify(text)}`)
  return text
}

/** @param {string | null} version @returns {Promise<{ path: string, version: string }>} */
async function nodeFor (version) {
  if (version === null) return { path: process.execPath, version: process.version }
  return installNode(version, path.join(__dirname, '.nodes', version))
}

module.exports = { NODE, nodeFor }
