// What each server answers: a handler of the Fetch standard.

import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, multipart, ndjson, text, urlencoded } from '../../../../lib/web/index.js'

const options = { limit: '10kb' }
const readers = [json(options), urlencoded({ ...options, extended: true }), text(options)]
const readRecords = ndjson({ limit: '10mb' })
const readLarge = json({ limit: '10mb' })

const folder = mkdtempSync(join(tmpdir(), 'web-forms-'))
const limit = '10mb'
const forms = {
  memory: multipart({ limit }),
  disk: multipart({ limit, store: multipart.disk(folder) }),
  stream: multipart({ limit, store: async (file) => (await file.peek(2)).length + await lengthOf(file) })
}

async function lengthOf (file) {
  let length = 0
  for await (const chunk of file.stream) length += chunk.length
  return length
}

async function answerForm (request, way) {
  if (way === 'parts') {
    const parts = []
    for await (const part of forms.memory.parts(request)) parts.push(part.value ?? await lengthOf(part))
    return Response.json({ body: parts })
  }
  const { dispose, fields, files: { f } } = await forms[way](request)
  const files = f.map(({ name, size, bytes, path, value }) => [name, size, bytes?.length, typeof path, value])
  await dispose()
  return Response.json({ body: [fields.a, files, readdirSync(folder).length] })
}

async function answerLarge (request) {
  const body = await readLarge(request)
  if (body !== undefined) return Response.json({ body: { length: body[0].length } })
  let records = 0
  let sum = 0
  for await (const { n } of await readRecords(request)) {
    records++
    sum += n
  }
  return Response.json({ body: { records, sum } })
}

export async function answer (request) {
  try {
    const [, first, way] = new URL(request.url).pathname.split('/')
    if (first === 'large') return await answerLarge(request)
    if (first === 'forms') return await answerForm(request, way)
    for (const read of readers) {
      const body = await read(request)
      if (body !== undefined) return Response.json({ body })
    }
    return Response.json({})
  } catch (error) {
    return Response.json({ type: error.type }, { status: error.status ?? 500 })
  }
}
