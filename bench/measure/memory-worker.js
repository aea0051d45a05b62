'use strict'

// A process that parses many large bodies at once, for memory.js.

const { giveUp, sayReady } = require('../../tools/ipc-worker')
const peakRss = require('../../tools/peak-rss')
const { competitors } = require('../competitors')
const { json, split } = require('../rows/bodies')
const { post } = require('../rows/row')
const { createHandler } = require('./handler')
const { createRequestFactory } = require('./request')

const CHUNK = 64 * 1024 // bytes

async function main (name, { count, bytes }) {
  const content = json(bytes)
  const work = post('json', content, { options: { limit: 2 * bytes } })
  const handler = await createHandler(competitors.find((one) => one.name === name), work)
  const create = createRequestFactory(work, false)
  const before = peakRss()

  const requests = Array.from({ length: count }, create)
  const parsed = requests.map((req) => new Promise((resolve, reject) => {
    handler(req, {}, (error) => error ? reject(error) : resolve())
  }))
  for (const view of split(content.bytes, CHUNK)) {
    for (const req of requests) req.push(Buffer.from(view)) // a copy, as each connection has its own
    await new Promise(setImmediate)
  }
  for (const req of requests) {
    req.complete = true
    req.push(null)
  }
  await Promise.all(parsed)
  if (requests.some(({ body }) => body.length !== content.value.length)) throw new Error('parsed another value')
  sayReady({ before, peak: peakRss() })
}

process.on('disconnect', () => process.exit())
main(process.argv[2], JSON.parse(process.argv[3])).catch(giveUp)
