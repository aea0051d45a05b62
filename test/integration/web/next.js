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
export const PUT = answer`,
  'app/upload/route.js': `
import { multipart } from 'fast-body-parser/web'
const readForm = multipart({ files: { f: { size: '20mb' } } })
export async function POST (request) {
  try {
    const { fields, files } = await readForm(request)
    return Response.json([fields.a, files.f[0].size])
  } catch ({ status = 500, type }) {
    return Response.json({ type }, { status })
  }
}
export async function PUT (request) {
  await request.formData()
  return POST(request)
}`
}

function formOf (size) {
  const body = new FormData()
  body.append('a', 'é')
  body.append('f', new File(['x'.repeat(size)], 'f'))
  return body
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
      const send = async (route, method, body, type) => {
        const headers = type && { 'content-type': type }
        const response = await fetch(url + route, { method, headers, body, duplex: 'half' })
        return [response.status, await response.json()]
      }
      const whole = JSON.stringify(Array.from({ length: 9 }, () => 'x'.repeat(1e6)))
      const cut = JSON.stringify(Array.from({ length: 11 }, () => 'x'.repeat(1e6)))
      const refusal = [400, { type: 'request.size.invalid', expected: cut.length }]
      assert.deepEqual(await send('api', 'POST', whole, 'application/json'), [200, { length: 9 }])
      assert.deepEqual(await send('api', 'POST', cut, 'application/json'), refusal)
      const chunked = await send('api', 'PUT', new Blob([cut]).stream(), 'text/plain') // nothing tells its length
      assert.ok(chunked[0] === 200 && chunked[1].length <= CUT, `${chunked[1].length}`)
      assert.deepEqual(await send('upload', 'POST', formOf(9e6)), [200, ['é', 9e6]])
      assert.equal((await send('upload', 'POST', formOf(11e6)))[0], 400)
      assert.deepEqual(await send('upload', 'PUT', formOf(3)), [500, { type: 'stream.not.readable' }])
    })
  })
})
