'use strict'

// A form whose field `data` is JSON, beside files: a schema parses it, so the
// handler gets checked values. A file goes to a function, which streams it.

const { createHash } = require('node:crypto')
const { pipeline } = require('node:stream/promises')
const express = require('express')
const { z } = require('zod')
const bodyParser = require('fast-body-parser')

const json = z.string().transform((text, context) => {
  try {
    return JSON.parse(text)
  } catch {
    context.addIssue({ code: 'custom', message: 'not JSON' })
    return z.NEVER
  }
})
const Upload = z.object({ data: json.pipe(z.object({ tags: z.array(z.string()) })) })

/** Stands for any destination: what it returns is the file's `value`. */
async function store (file, { fields, signal }) {
  const hash = createHash('sha256')
  await pipeline(file, hash, { signal })
  return hash.digest('hex')
}

const app = express()

app.post('/', bodyParser.multipart({ limit: '100mb', store, schema: Upload }), (req, res) => {
  const files = Object.values(req.files).flat().map(({ name, size, value }) => ({ name, size, sha256: value }))
  res.json({ tags: req.body.data.tags, files })
})

app.use((error, req, res, next) => {
  const { status = 500, type, issues = [] } = error
  res.status(status).json({ error: { status, type, issues: issues.map(({ path, message }) => `${path.join('.')}: ${message}`) } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    console.log(`curl -F 'data={"tags":["a"]}' -F file=@package.json localhost:${server.address().port}`)
  })
}
