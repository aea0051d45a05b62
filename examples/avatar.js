'use strict'

// A form with a picture, which goes to a file. The app decides which files it
// keeps, and under which names; all others are removed with the response.

const { mkdirSync } = require('node:fs')
const path = require('node:path')
const express = require('express')
const bodyParser = require('fast-body-parser')

const UPLOADS = path.resolve(process.env.UPLOADS ?? 'uploads')
const EXTENSIONS = { 'image/jpeg': '.jpg', 'image/png': '.png' }
const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgABSK+kcQAAAABJRU5ErkJggg=='
const AVATARS = path.join(UPLOADS, 'avatars')
mkdirSync(AVATARS, { recursive: true })

const app = express()

// What a file is named for: two users must not share a name.
app.param('id', (req, res, next, id) => {
  if (/^[1-9]\d{0,14}$/.test(id)) next()
  else res.status(404).json({ error: 'user is unknown' })
})

app.post('/users/:id', bodyParser.multipart({
  timeout: 60_000,
  files: { avatar: { size: '5mb', types: Object.keys(EXTENSIONS) } },
  store: bodyParser.multipart.disk(path.join(UPLOADS, 'incoming'))
}), async (req, res) => {
  const [avatar] = req.files.avatar ?? []
  if (avatar === undefined) return res.status(400).json({ error: 'avatar is missing' })
  // Never a name of the client's: neither avatar.name nor its extension.
  const name = req.params.id + EXTENSIONS[avatar.type]
  await avatar.keep(path.join(AVATARS, name))
  res.status(201).json({ title: req.body.title, size: avatar.size, saved: name })
})

app.use((error, req, res, next) => {
  const { status = 500, type, field, limit } = error
  res.status(status).json({ error: { status, type, field, limit } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    console.log(`echo ${PIXEL} | base64 -d |
  curl -F title=me -F 'avatar=@-;filename=me.png;type=image/png' localhost:${server.address().port}/users/1`)
  })
}
