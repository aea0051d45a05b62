'use strict'

// A process of its own that parses many large bodies at once, for memory.js.

const { competitors } = require('./competitors')
const { json, split } = require('./bodies')
const { createRequestFactory } = require('./request')
const { post } = require('./rows/row')
const { createHandler } = require('./stack')

const CHUNK = 64 * 1024 // bytes

async function main (name, { count, bytes }) {
  const content = json(bytes)
  const work = post('json', content, { options: { limit: 2 * bytes } })
  const handler = await createHandler(competitors.find((one) => one.name === name), work)
  const create = createRequestFactory(work, false)
  const before = process.resourceUsage().maxRSS

  const requests = Array.from({ length: count }, create)
  const parsed = requests.map((req) => new Promise((resolve, reject) => {
    handler(req, {}, (error) => error ? reject(error) : resolve())
  }))
  for (const view of split(content.bytes, CHUNK)) {
    for (const req of requests) req.push(Buffer.from(view)) // each connection has its own
    await new Promise(setImmediate)
  }
  for (const req of requests) {
    req.complete = true
    req.push(null)
  }
  await Promise.all(parsed)
  if (requests.some(({ body }) => body.length !== content.value.length)) throw new Error('parsed another value')
  process.send({ before, peak: process.resourceUsage().maxRSS })
}

main(process.argv[2], JSON.parse(process.argv[3]))
