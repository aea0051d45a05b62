'use strict'

// What other parsers make of one body: the values of its parts, or a refusal.

const busboy = require('busboy')
const fastifyBusboy = require('@fastify/busboy')
const { Readable } = require('node:stream')
const { setTimeout: delay } = require('node:timers/promises')
const { multipart } = require('../..')

/** Name -> what reads a body, and gives names and values, as `a=1`. */
const peers = {
  'this package': (headers, body) => new Promise((resolve, reject) => {
    const req = Object.assign(Readable.from([body]), { headers: { ...headers, 'transfer-encoding': 'chunked' } })
    multipart()(req, {}, (error) => {
      if (error) return reject(error)
      const fields = Object.entries(req.body).flatMap(([name, values]) =>
        [values].flat().map((value) => `${name}=${value}`))
      const files = Object.values(req.files).flat().map((file) => `${file.field}=${file.name}:${file.bytes}`)
      resolve([...fields, ...files])
    })
  }),
  busboy: (headers, body) => byEvents(busboy({ headers }), body, (name, stream, { filename }) => filename),
  '@fastify/busboy': (headers, body) => byEvents(fastifyBusboy({ headers }), body,
    (name, stream, filename) => filename),
  async 'undici (formData)' (headers, body) {
    const form = await new Response(body, { headers }).formData()
    const textOf = async (value) => typeof value === 'string' ? value : `${value.name}:${await value.text()}`
    return Promise.all(Array.from(form, async ([name, value]) => `${name}=${await textOf(value)}`))
  }
}

async function byEvents (parser, body, filenameOf) {
  const parts = []
  const pending = []
  parser.on('field', (name, value) => parts.push(`${name}=${value}`))
  parser.on('file', (name, stream, ...more) => {
    let text = ''
    stream.on('data', (chunk) => { text += chunk })
    pending.push(new Promise((resolve) => stream.on('error', resolve).on('close', resolve).on('end', () => {
      parts.push(`${name}=${filenameOf(name, stream, ...more)}:${text}`)
      resolve()
    })))
  })
  await new Promise((resolve, reject) => {
    parser.on('error', reject).on('close', resolve).on('finish', resolve)
    parser.end(body)
  })
  await Promise.all(pending)
  return parts
}

/** The parts, `refused`, or `hangs`. */
async function outcomeOf (name, headers, body) {
  const read = async () => {
    const parts = await peers[name](headers, body)
    return parts.length === 0 ? 'nothing' : parts.join(' ')
  }
  return Promise.race([
    read().catch((error) => name === 'this package' ? error.type : 'refused'), delay(500, 'hangs', { ref: false })
  ])
}

const HEAD = 'Content-Disposition: form-data; name='
const field = (name, value) => `--b\r\n${HEAD}"${name}"\r\n\r\n${value}\r\n`

const textFile = (more) => `--b\r\n${HEAD}"f"; ${more}\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n`

/** What -> [body, Content-Type]; but for what this package and busboy treat alike. */
const rows = {
  'a line `--bX` in a value': `${field('a', '1\r\n--bX\r\n2')}${field('c', '3')}--b--\r\n`,
  'a line `--b--X` in a value': `${field('a', '1\r\n--b--X\r\n2')}${field('c', '3')}--b--\r\n`,
  'white space after a boundary': `${field('a', '1')}${field('c', '2').replace('--b', '--b \t')}--b--\r\n`,
  'LF alone in front of the form': `\n${field('a', '1')}${field('c', '2')}--b--\r\n`,
  'LF alone behind the first boundary': `${field('a', '1').replace('\r', '')}${field('c', '2')}--b--\r\n`,
  'a boundary directly behind a header': `--b\r\n${HEAD}"a"\r\n\r\n${field('c', '2')}--b--\r\n`,
  'no name': `--b\r\n${HEAD.slice(0, -7)}\r\n\r\n1\r\n--b--\r\n`,
  'an empty name': `${field('', '1')}--b--\r\n`,
  'two Content-Dispositions': `--b\r\n${HEAD}"a"\r\n${HEAD}"c"\r\n\r\n1\r\n--b--\r\n`,
  'no Content-Disposition': '--b\r\nContent-Type: text/plain\r\n\r\n1\r\n--b--\r\n',
  'a boundary of 71 characters': [
    `${field('a', '1')}--b--\r\n`.replaceAll('--b', `--${'b'.repeat(71)}`),
    `multipart/form-data; boundary=${'b'.repeat(71)}`
  ],
  'two boundaries': [`${field('a', '1')}--b--\r\n`, 'multipart/form-data; boundary=b; boundary=c'],
  base64: `--b\r\n${HEAD}"a"\r\nContent-Transfer-Encoding: base64\r\n\r\nMQ==\r\n--b--\r\n`,
  'a file name in UTF-8': textFile('filename="é.txt"'),
  'a file name with %22': textFile('filename="%22.txt"'),
  'filename* beside filename': textFile("filename=\"x.txt\"; filename*=utf-8''y.txt"),
  'filename* alone that does not decode': textFile("filename*=utf-8''%zz")
}

const messages = Object.entries(rows).map(([what, row]) => {
  const [body, type = 'multipart/form-data; boundary=b'] = [row].flat()
  return { what, body: Buffer.from(body), headers: { 'content-type': type } }
})

/** The table of reliability/hostile-forms.md, as Markdown. */
async function printTable () {
  const names = Object.keys(peers)
  const cells = (values) => `| ${values.join(' | ')} |`
  const lines = [cells(['body', ...names]), cells(['---', ...names.map(() => '---')])]
  for (const { what, headers, body } of messages) {
    const outcomes = []
    for (const name of names) outcomes.push(await outcomeOf(name, headers, body))
    const quoted = (outcome) => `\`${JSON.stringify(outcome).slice(1, -1).replaceAll('|', '\\|')}\``
    const shown = outcomes.map((outcome) => outcome === 'refused' ? outcome : quoted(outcome))
    lines.push(cells([what, ...shown]))
  }
  return lines.join('\n')
}

module.exports = printTable

if (require.main === module) printTable().then(console.log)
