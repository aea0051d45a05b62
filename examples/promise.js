'use strict'

// A promise in place of a middleware: a handler of node:http reads the body
// when it knows that it needs it, and answers the errors itself.

const http = require('node:http')
const bodyParser = require('fast-body-parser')

const readJson = bodyParser.json({ limit: '10kb' }).read
const readForm = bodyParser.urlencoded().read

async function handle (req, res) {
  if (req.headers.authorization !== 'Bearer secret') return [401, { error: 'who are you?' }] // nothing is read
  const body = await readJson(req, res) ?? await readForm(req, res)
  if (body === undefined) return [415, { error: 'JSON or a form, please' }]
  return [200, { received: body }]
}

const server = http.createServer(async (req, res) => {
  let answer
  try {
    answer = await handle(req, res)
  } catch (error) {
    answer = [error.status ?? 500, { error: error.expose ? error.message : 'not your fault' }]
  }
  const [status, content] = answer
  res.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(content))
})

module.exports = server

if (require.main === module) {
  server.listen(process.env.PORT ?? 3000, () => {
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  curl ${url} -H 'Authorization: Bearer secret' --json '{"user":"tobi"}'
  curl ${url} -H 'Authorization: Bearer secret' -d user=tobi
  curl ${url} --json '{"user":"tobi"}'`)
  })
}
