'use strict'

const express = require('express')
const LocalServer = require('../../tools/local-server')

/** Sends a request to an app with these handlers. */
module.exports = async function fetchFrom (handlers, request, path = '/') {
  const app = express()
  app.set('env', 'test')
  for (const handler of handlers) app.use(handler)
  const server = await LocalServer.open(app)
  try {
    const init = { method: 'POST', duplex: 'half', ...request }
    const response = await fetch(`http://127.0.0.1:${server.port}${path}`, init)
    return { status: response.status, headers: response.headers, text: await response.text() }
  } finally {
    server.close()
  }
}
