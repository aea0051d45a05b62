// What each server answers: a handler of the Fetch standard.

import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { json, multipart, ndjson } from '../../../../lib/web/index.js'

const limit = '10mb'
const read = json({ limit: '10kb' })
const readLarge = json({ limit })
const readRecords = ndjson({ limit })

const folder = mkdtempSync(join(tmpdir(), 'web-forms-'))
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
    return parts
  }
  const { dispose, fields, files: { f } } = await forms[way](request)
  const files = f.map(({ name, size, bytes, path, value }) => [name, size, bytes?.length, typeof path, value])
  await dispose()
  return [fields.a, files, readdirSync(folder).length]
}

async function answerLarge (request) {
  const body = await readLarge(request)
  if (body !== undefined) return { length: body[0].length }
  let records = 0
  let sum = 0
  for await (const { n } of await readRecords(request)) {
    records++
    sum += n
  }
  return { records, sum }
}

export async function answer (request) {
  const [, first, way] = new URL(request.url).pathname.split('/')
  const act = { large: answerLarge, forms: answerForm }[first] ?? read
  try {
    return Response.json({ body: await act(request, way) })
  } catch ({ type, status = 500 }) {
    return Response.json({ type }, { status })
  }
}
