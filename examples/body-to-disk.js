'use strict'

// A large body, as it is sent, into a file: without a parser, as raw() has the whole body in memory.
// The route stands before parsers that take its type.

const { randomUUID } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const express = require('express')

const MAX = Number(process.env.MAX ?? 2 ** 30) // bytes
const UPLOADS = process.env.UPLOADS ?? 'uploads'
fs.mkdirSync(UPLOADS, { recursive: true })

const app = express()

app.post('/files', async (req, res) => {
  if (Number(req.headers['content-length']) > MAX) return res.status(413).json({ error: 'too large' })
  const name = path.join(UPLOADS, randomUUID())
  const file = await fs.promises.open(name, 'wx')
  try {
    let size = 0
    for await (const chunk of req) {
      size += chunk.length
      if (size > MAX) throw Object.assign(new Error('too large'), { status: 413 })
      await file.appendFile(chunk)
    }
    res.status(201).json({ size })
  } catch (error) { // ends the connection of a client that still sends
    await fs.promises.rm(name)
    throw error
  } finally {
    await file.close()
  }
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    const url = `http://localhost:${server.address().port}/files`
    console.log(`Listening on ${url} - try:

  curl ${url} --data-binary @README.md`)
  })
}
