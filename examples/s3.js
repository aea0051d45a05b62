'use strict'

// Files go to S3, or to what speaks its protocol, as they come: of each, the
// process holds a few parts of 5 MB, however large the file is. The SDK reads
// AWS_REGION, AWS_ENDPOINT_URL_S3 and the credentials from the environment.

const { randomUUID } = require('node:crypto')
const { DeleteObjectCommand, S3Client } = require('@aws-sdk/client-s3')
const { Upload } = require('@aws-sdk/lib-storage')
const express = require('express')
const bodyParser = require('fast-body-parser')

const Bucket = process.env.BUCKET ?? 'uploads'
const client = new S3Client({ forcePathStyle: true, requestChecksumCalculation: 'WHEN_REQUIRED' })

async function store (file, { signal }) {
  const Key = randomUUID() // never a name of the client's
  const upload = new Upload({ client, queueSize: 2, params: { Bucket, Key, Body: file, ContentType: file.type } })
  signal.addEventListener('abort', () => upload.abort()) // the form has failed: the parts are removed
  await upload.done()
  signal.addEventListener('abort', () => client.send(new DeleteObjectCommand({ Bucket, Key })).catch(console.error)) // it fails later
  return Key
}

const app = express()

app.post('/', bodyParser.multipart({ limit: '5gb', minRate: 10_000, files: { file: { max: 3 } }, store }), (req, res) => {
  const files = req.files.file ?? []
  res.status(201).json(files.map(({ name, size, value: key }) => ({ name, size, key })))
})

app.use((error, req, res, next) => {
  const { status = 502, type } = error
  res.status(status).json({ error: { status, type } })
})

module.exports = app

if (require.main === module) {
  const server = app.listen(process.env.PORT ?? 3000, () => {
    console.log(`curl -F file=@package.json localhost:${server.address().port}`)
  })
}
