'use strict'

// npm run bench -- memory: what a server keeps of its memory after bursts of large bodies.

const { withLab } = require('../tools/lab')
const { json } = require('./rows/bodies')
const benchCommand = require('./suite/command')

const APP = require.resolve('./bursts-app')
const BODIES = 200 // at a time
const BURSTS = 3
const SMALL = ['--max-semi-space-size=4']

benchCommand({
  usage: `What a server keeps after ${BURSTS} bursts of ${BODIES} JSON bodies of 1 MB: two minutes.

  npm run bench -- memory --node=24
  LD_PRELOAD=libjemalloc.so.2 npm run bench -- memory --node=24    # with another allocator
`,
  stepsOf: ({ node }) => [
    ['as it is', '..', []],
    [SMALL.join(), '..', SMALL],
    ['body-parser, as it is', 'body-parser', []]
  ].map(([name, parser, flags]) => ({ name, take: () => measure(node, parser, ['--expose-gc', ...flags]) })),
  tablesOf (results) {
    const rows = Object.entries(results).map(([name, kept]) => [name, ...kept.map((bytes) => Math.round(bytes / 1e6))])
    return [{ title: 'MB more than before, after each burst', head: ['', '1', '2', '3'], rows }]
  }
})

/** @returns {Promise<number[]>} bytes of resident memory, after a collection, more than before the first burst */
function measure (node, parser, flags) {
  const headers = { 'content-type': 'application/json' }
  const request = { method: 'POST', headers, body: json(1e6).bytes, expected: { status: 200, body: 'parsed' } }
  return withLab(async (lab) => {
    const server = await lab.start({ name: parser, app: APP, settings: { parser }, node: node.path, flags })
    const residentBytes = async () => {
      await server.ask('collect')
      return (await server.ask('resident')).bytes
    }
    const idle = await residentBytes()
    const kept = []
    for (let burst = 0; burst < BURSTS; burst++) {
      await server.connect([request], BODIES)
      await server.load({ amount: BODIES })
      await server.disconnect()
      kept.push(await residentBytes() - idle)
    }
    return kept
  })
}
