'use strict'

// A handler (request) => response of the Fetch standard, as Hono, h3, Workers,
// Bun and Deno have them; here under node:http.

const http = require('node:http')
const { Readable } = require('node:stream')
const { firstOf, json, multipart, toResponse, urlencoded } = require('fast-body-parser/web')

const readBody = firstOf(json({ limit: '10kb' }), urlencoded({ extended: true }))
const readPhotos = multipart({
  files: { photo: { max: 3, size: '5mb' } },
  store: countBytes // in place of a bucket, or a virus scanner
})

async function countBytes (file) {
  let length = 0
  for await (const chunk of file.stream) length += chunk.length // the client waits for a store that is slow
  return length
}

async function fetch (request) {
  try {
    if (new URL(request.url).pathname === '/photos') return await takePhotos(request)
    return Response.json({ received: await readBody(request) ?? null })
  } catch (error) {
    return toResponse(error)
  }
}

async function takePhotos (request) {
  const form = await readPhotos(request)
  if (form === undefined) return new Response('a form is expected\n', { status: 415 })
  const photos = form.files.photo ?? []
  return Response.json({ fields: form.fields, photos: photos.map(({ name, value }) => ({ name, bytes: value })) })
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
  curl ${url}photos -F title=Sea -F 'photo=@package.json'
  head -c 20000 /dev/zero | curl ${url} --json @-`)
  })
}
