'use strict'

// npm run bench -- upload-memory: the memory that one large upload takes.

const { fork } = require('node:child_process')
const { once } = require('node:events')
const http = require('node:http')
const os = require('node:os')
const path = require('node:path')
const { temporaryFolder, writeFile } = require('../tools/atomic-write')
const { fileName, wholeNumber } = require('../tools/command-line')
const { drawBars } = require('../tools/bars')
const { median } = require('../tools/statistics')
const UserError = require('../tools/user-error')
const { alternate } = require('./measure/alternate')
const { BOUNDARY, KB, MB, typeWith } = require('./multipart/bodies')
const benchCommand = require('./suite/command')
const ways = require('./upload-memory/ways')

const SERVER = require.resolve('./upload-memory/server')
const CHUNK = Buffer.alloc(64 * KB, 'x')
const DISPOSITION = 'form-data; name="file"; filename="a.bin"'
const HEAD = `--${BOUNDARY}\r\nContent-Disposition: ${DISPOSITION}\r\nContent-Type: a/b\r\n\r\n`
const TAIL = `\r\n--${BOUNDARY}--\r\n`

benchCommand({
  usage: `The memory that one upload takes, beside peers, in turn: three minutes.

  npm run bench -- upload-memory --node=24 --svg=docs/images/memory.svg

Each upload goes to a fresh server, which first takes one of 1 MB. The figure is the
peak of its resident memory, less what it had before.
`,
  rounds: 3,
  options: {
    size: { value: 'MB', read: wholeNumber(2, 4000), default: 500, help: 'of the file' },
    svg: { value: 'FILE', read: fileName('.svg'), help: 'draw the picture of docs/benchmarks.md' }
  },
  stepsOf: ({ node, rounds, size }) => [{
    name: 'uploads',
    take: () => alternate(Object.keys(ways), rounds, (way) => measure(node, way, size))
  }],
  tablesOf ({ uploads }, { size, svg }) {
    const rows = Object.entries(uploads)
      .map(([way, peaks]) => [way, median(peaks), Math.min(...peaks), Math.max(...peaks)])
    if (svg !== null) writeFile(svg, pictureOf(rows, size))
    const head = ['', 'median', 'least', 'most']
    const digits = rows.map(([way, ...figures]) => [way, ...figures.map((figure) => figure.toFixed(0))])
    return [{ title: `MB of peak memory of an upload of ${size} MB`, head, rows: digits }]
  }
})

const pictureOf = (rows, size) => drawBars({
  title: `Memory of an upload of ${size} MB: less is better`,
  unit: 'MB',
  left: 236,
  groups: rows.map(([name, value]) => ({ name, bars: [{ value, isOurs: name.startsWith('fast-body-parser') }] }))
})

/** @returns {Promise<number>} MB */
async function measure (node, way, size) {
  const folder = temporaryFolder(path.join(os.tmpdir(), 'bench-upload'))
  const child = fork(SERVER, [way, folder], { execPath: node.path })
  try {
    const [{ port }] = await once(child, 'message')
    await upload(port, MB)
    const { now } = await memoryOf(child)
    await upload(port, size * MB)
    return ((await memoryOf(child)).most - now) / MB
  } finally {
    child.kill()
  }
}

async function memoryOf (child) {
  child.send('memory')
  return (await once(child, 'message'))[0]
}

/** Sends a form with one file, as fast as the server takes it. */
async function upload (port, bytes) {
  const headers = { 'content-type': typeWith(BOUNDARY), 'content-length': HEAD.length + bytes + TAIL.length }
  const req = http.request({ host: '127.0.0.1', port, method: 'POST', headers, agent: false })
  const answered = once(req, 'response')
  req.write(HEAD)
  for (let left = bytes; left > 0; left -= CHUNK.length) {
    if (!req.write(CHUNK)) await once(req, 'drain')
  }
  req.end(TAIL)
  const [res] = await answered
  const text = await new Response(res).text()
  if (res.statusCode !== 200) throw new UserError(`an upload was refused: ${text}`)
}
