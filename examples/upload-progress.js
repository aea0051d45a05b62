'use strict'

// A page that shows how much of a file is sent. The browser counts what it has
// sent, in events of XMLHttpRequest, which fetch does not have; as the parser
// pauses a request whose store is slow, the bar shows that as well.

const express = require('express')
const bodyParser = require('fast-body-parser')

const page = `<!DOCTYPE html>
<meta charset="utf-8">
<title>Upload</title>
<form method="post" enctype="multipart/form-data">
  <input type="file" name="file" multiple required> <button>Send</button>
  <p><progress value="0"></progress> <output></output>
</form>
<script>
const form = document.querySelector('form')
const bar = document.querySelector('progress')
const output = document.querySelector('output')
form.addEventListener('submit', (event) => {
  event.preventDefault()
  const request = new XMLHttpRequest()
  request.open('POST', form.action)
  request.responseType = 'json'
  request.upload.addEventListener('progress', ({ loaded, total }) => Object.assign(bar, { value: loaded, max: total }))
  request.addEventListener('load', () => { output.value = request.status === 200 ? request.response.map(({ name, size }) => name + ': ' + size + ' bytes').join(', ') : request.response.error })
  request.addEventListener('error', () => { output.value = 'the connection is lost' })
  request.send(new FormData(form))
})
</script>`

const app = express()

app.get('/', (req, res) => {
  res.type('html').send(page)
})

app.post('/', bodyParser.multipart({ limit: '100mb', fields: { max: 0 }, store: bodyParser.multipart.disk(process.env.UPLOADS ?? 'uploads') }), (req, res) => {
  const files = req.files.file ?? []
  res.json(files.map(({ name, size }) => ({ name, size }))) // await file.keep(path) to keep one
})

app.use((error, req, res, next) => {
  const { status = 500, type } = error
  res.status(status).json({ error: type })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    console.log(`open http://localhost:${server.address().port}, or: curl -F file=@package.json localhost:${server.address().port}`)
  })
}
