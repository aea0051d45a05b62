'use strict'

// A real S3 server on loopback.

const path = require('node:path')
const { S3Client } = require('@aws-sdk/client-s3')
const S3rver = require('s3rver')
const { createFolder, remove } = require('../../support/project')

process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED = 'true'

const KEYS = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** @param {string[]} [buckets] that are there */
module.exports = async function startS3 (buckets = []) {
  const folder = createFolder()
  const configureBuckets = buckets.map((name) => ({ name }))
  const server = new S3rver({ address: '127.0.0.1', port: 0, directory: folder, silent: true, configureBuckets })
  const endpoint = `http://127.0.0.1:${(await server.run()).port}`

  async function close () {
    await server.close()
    remove(folder)
  }

  const createClient = () => new S3Client({
    endpoint,
    region: 'us-east-1',
    credentials: KEYS,
    forcePathStyle: true,
    requestChecksumCalculation: 'WHEN_REQUIRED'
  })
  return { close, createClient, endpoint, folderOf: (bucket) => path.join(folder, bucket) }
}
