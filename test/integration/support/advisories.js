'use strict'

// What `npm audit` asks for, in place of a registry.

const { once } = require('node:events')
const http = require('node:http')
const zlib = require('node:zlib')

/** @returns {Promise<object[]>} versions by package, for each question that is asked by `audit` */
async function listenToAudit (audit) {
  const asked = []
  const server = http.createServer(async (req, res) => {
    asked.push(JSON.parse(zlib.gunzipSync(Buffer.concat(await req.toArray()))))
    res.end('{}')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  await audit(`http://127.0.0.1:${server.address().port}`)
  server.close()
  return asked
}

module.exports = listenToAudit
