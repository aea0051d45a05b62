'use strict'

// A handler (request) => response of the Fetch standard, as Hono, h3, Workers,
// Bun and Deno have them; here under node:http.

const http = require('node:http')
const { Readable } = require('node:stream')
const { json, urlencoded } = require('fast-body-parser/web')

const readJson = json({ limit: '10kb' })
const readForm = urlencoded({ extended: true })

async function fetch (request) {
  try {
    const body = await readJson(request) ?? await readForm(request)
    return Response.json({ received: body ?? null })
  } catch (error) {
    const { status = 500, type, message, expose } = error
    return Response.json({ error: expose ? { status, type, message } : { status } }, { status })
  }
}

const server = http.createServer(async (req, res) => {
  const hasBody = req.method !== 'GET' && req.method !== 'HEAD'
  const response = await fetch(new Request(`http://localhost${req.url}`, {
    method: req.method,
    headers: Object.entries(req.headers).map(([name, value]) => [name, String(value)]),
    ...(hasBody && { body: Readable.toWeb(req), duplex: 'half' })
  }))
  res.writeHead(response.status, Object.fromEntries(response.headers)).end(await response.text())
})

module.exports = server

if (require.main === module) {
  server.listen(process.env.PORT ?? 3000, () => {
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} --json '{"user":"tobi"}'
  curl ${url} -d 'user[name]=tobi'
  head -c 20000 /dev/zero | curl ${url} --json @-`)
  })
}
