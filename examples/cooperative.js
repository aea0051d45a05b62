'use strict'

// Big JSON bodies that do not stop the world: json({ cooperative: true }), and
// the same for JSON from elsewhere, such as a file.

const { readFile } = require('node:fs/promises')
const express = require('express')
const bodyParser = require('fast-body-parser')
const parseInSlices = require('fast-body-parser/json-slices')

const app = express()
app.disable('x-powered-by')

app.post('/', bodyParser.json({ limit: '100mb', cooperative: true }), (req, res) => {
  res.json({ fields: Object.keys(req.body).length })
})

// A file that is asked for is read and parsed, until whoever asked goes away.
app.get('/packages', async (req, res) => {
  const gone = new AbortController()
  res.on('close', () => gone.abort())
  const { signal } = gone
  const { packages } = await parseInSlices(await readFile(require.resolve('../package-lock.json'), { signal }), { signal })
  res.json({ count: Object.keys(packages).length })
})

app.use((error, req, res, next) => {
  const { status = 500, type, message } = error
  res.status(status).json({ error: { status, type, message } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/`
    console.log(`Listening on ${url} - try:

  node -p 'JSON.stringify(Array(1e6).fill({ a: [1] }))' | curl ${url} --json @- & sleep 0.2; time curl ${url}packages`)
  })
}
