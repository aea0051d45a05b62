'use strict'

// A process of its own, as V8 counts calls for one listener at a time: which
// functions of lib/ a small JSON body calls, once the server is warm.

const { once } = require('node:events')
const http = require('node:http')
const { Session } = require('node:inspector/promises')
const path = require('node:path')
const { fileURLToPath } = require('node:url')
const { json } = require('../../..')

const LIB = path.join(__dirname, '../../../lib') + path.sep
const BODY = '{"a":1,"b":2}'

async function main () {
  const parser = json()
  const server = http.createServer((req, res) => parser(req, res, (error) => res.end(String(error ?? req.body.b))))
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const session = new Session()
  session.connect()
  for (let i = 0; i < 3; i++) await post(server.address().port)
  await session.post('Profiler.enable')
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
  const answer = await post(server.address().port)
  const { result } = await session.post('Profiler.takePreciseCoverage')
  session.disconnect()
  server.close()
  const own = result.filter(({ url }) => url.startsWith('file:') && fileURLToPath(url).startsWith(LIB))
  const calls = own.flatMap(({ url, functions }) => functions.map(({ functionName, ranges: [{ count }] }) => {
    return { file: path.relative(LIB, fileURLToPath(url)).split(path.sep).join('/'), name: functionName, count }
  }))
  console.log(JSON.stringify({ answer, calls: calls.filter(({ count }) => count > 0) }))
}

async function post (port) {
  const headers = { 'Content-Type': 'application/json', 'Content-Length': BODY.length }
  const request = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
  const [response] = await once(request.end(BODY), 'response')
  return (await response.toArray()).join('')
}

main()
