'use strict'

// Files go to S3, or to what speaks its protocol, as they come: of each, the
// process holds a few parts of 5 MB, however large the file is. The SDK reads
// its settings from the environment, AWS_ENDPOINT_URL_S3 among them.

const { randomUUID } = require('node:crypto')
const { DeleteObjectCommand, S3Client } = require('@aws-sdk/client-s3')
const { Upload } = require('@aws-sdk/lib-storage')
const express = require('express')
const bodyParser = require('fast-body-parser')

const SETTINGS = 'AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, and BUCKET if the bucket is not called uploads'
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
  if (type === undefined) console.error(error) // an error of S3, which is not the client's to see
  res.status(status).json({ error: { status, type } })
})

module.exports = app

async function start () {
  await Promise.all([client.config.region(), client.config.credentials()])
  const server = app.listen(process.env.PORT ?? 3000, (error) => {
    if (error) throw error
    console.log(`curl -F file=@package.json localhost:${server.address().port}`)
  })
}

if (require.main === module) {
  start().catch((error) => {
    console.error(`${error.message}: set ${SETTINGS}`)
    process.exitCode = 1
  })
}
