'use strict'

// Next.js 16 with a proxy.js cuts a body at 10 MB, writes a warning, and gives
// the route handler the rest as if it were all.

const assert = require('node:assert/strict')
const { NEXT, createProject, serve } = require('../support/program')
const { remove, write } = require('../support/project')

const START_TIME = 120_000 // ms; npm packs, and Next.js compiles
const CUT = 10 * 1024 * 1024 // bytes

const FILES = {
  'package.json': { type: 'module' },
  'next.config.js': 'export default { turbopack: { root: "/" } }',
  'proxy.js': `
import { NextResponse } from 'next/server'
export const proxy = () => NextResponse.next()`,
  'app/api/route.js': `
import { json, text } from 'fast-body-parser/web'
const readers = { POST: json({ limit: '20mb' }), PUT: text({ limit: '20mb' }) }
async function answer (request) {
  try {
    const body = await readers[request.method](request)
    return Response.json({ length: body.length })
  } catch ({ status = 500, type, expected }) {
    return Response.json({ type, expected }, { status })
  }
}
export const POST = answer
export const PUT = answer
export const PATCH = async (request) => Response.json({ length: (await request.text()).length })`,
  'app/upload/route.js': `
import { multipart } from 'fast-body-parser/web'
async function store (file) {
  let length = 0
  for await (const chunk of file.stream) length += chunk.length
  return length
}
const readForm = multipart({ files: { f: { size: '20mb' } }, store })
export async function POST (request) {
  try {
    const { fields, files } = await readForm(request)
    return Response.json([fields.a, files.f[0].value])
  } catch ({ status = 500, type }) {
    return Response.json({ type }, { status })
  }
}
export async function PUT (request) {
  await request.formData()
  return POST(request)
}`
}

/** A route handler that reads forms, and one in front of which other code has read them. */
async function assertForms (url) {
  const send = async (method, size) => {
    const body = new FormData()
    body.append('a', 'é')
    body.append('f', new File(['x'.repeat(size)], 'f'))
    const response = await fetch(url, { method, body })
    return [response.status, await response.json()]
  }
  assert.deepEqual(await send('POST', 3), [200, ['é', 3]])
  assert.deepEqual(await send('POST', 9e6), [200, ['é', 9e6]])
  assert.equal((await send('POST', 11e6))[0], 400)
  assert.deepEqual(await send('PUT', 3), [500, { type: 'stream.not.readable' }])
}

describe('fast-body-parser/web under Next.js with a proxy.js', () => {
  let folder

  before(async function () {
    this.timeout(START_TIME)
    folder = await createProject()
    write(folder, FILES)
  })

  after(() => remove(folder))

  it('reads forms, and refuses a body that Next.js has cut, if it declared its length', async function () {
    this.timeout(START_TIME)
    await serve(folder, NEXT, async (url) => {
      const send = async (method, type, body) => {
        const response = await fetch(`${url}api`, { method, headers: { 'content-type': type }, body, duplex: 'half' })
        return [response.status, await response.json()]
      }
      const whole = JSON.stringify(Array.from({ length: 9 }, () => 'x'.repeat(1e6)))
      const cut = JSON.stringify(Array.from({ length: 11 }, () => 'x'.repeat(1e6)))
      assert.deepEqual(await send('POST', 'application/json', whole), [200, { length: 9 }])
      const refusal = [400, { type: 'request.size.invalid', expected: cut.length }]
      assert.deepEqual(await send('POST', 'application/json', cut), refusal)
      assert.deepEqual(await send('PUT', 'text/plain', cut), refusal)
      const [status, { length }] = await send('PATCH', 'text/plain', cut) // without a parser
      assert.ok(status === 200 && length <= CUT, `${length}`)
      const chunked = await send('PUT', 'text/plain', new Blob([cut]).stream()) // nothing tells its length
      assert.ok(chunked[0] === 200 && chunked[1].length <= CUT, `${chunked[1].length}`)
      assert.equal((await send('POST', 'application/json', new Blob([cut]).stream()))[1].type, 'entity.parse.failed')
      await assertForms(`${url}upload`)
    })
  })
})
