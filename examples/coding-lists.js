'use strict'

// Bodies that are coded more than once, as behind a proxy that compresses what
// is compressed already. No stage may decode to more than the limit.

const express = require('express')
const bodyParser = require('fast-body-parser')

const app = express()
app.disable('x-powered-by')
app.use(bodyParser.json({ codingLists: true, limit: '1mb' }))
app.use((req, res) => res.json({ codings: req.headers['content-encoding'], body: req.body }))
app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = { app }

if (require.main === module) {
  const server = app.listen(process.env.PORT || 3000, () => {
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  echo '{"user":"tobi"}' | gzip | gzip | curl ${url} --json @- -H 'Content-Encoding: gzip, x-gzip'
  echo '{"user":"tobi"}' | gzip | node -e 'process.stdin.pipe(zlib.createBrotliCompress()).pipe(process.stdout)' | curl ${url} --json @- -H 'Content-Encoding: gzip, br'
  head -c 50000000 /dev/zero | gzip | gzip | curl ${url} --json @- -H 'Content-Encoding: gzip, gzip'
  curl ${url} --json '{}' -H 'Content-Encoding: gzip, gzip, gzip, gzip, gzip'`)
  })
}
