'use strict'

// A server that parses JSON, for bench/bursts.js.

const http = require('node:http')

/** @param {{ parser: string }} settings the id of a module */
exports.createServer = ({ parser }) => {
  const parse = require(parser).json({ limit: '1mb' })
  return http.createServer((req, res) => parse(req, res, (error) => res.end(error ? error.type : 'parsed')))
}

exports.commands = { resident: () => ({ bytes: process.memoryUsage.rss() }) }
