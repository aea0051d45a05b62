// What each server answers: a handler of the Fetch standard.

import { json, ndjson, text, urlencoded } from '../../../../lib/web/index.js'

const options = { limit: '10kb' }
const readers = [json(options), urlencoded({ ...options, extended: true }), text(options)]
const readRecords = ndjson({ limit: '10mb' })
const readLarge = json({ limit: '10mb' })

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
    if (new URL(request.url).pathname === '/large') return await answerLarge(request)
    for (const read of readers) {
      const body = await read(request)
      if (body !== undefined) return Response.json({ body })
    }
    return Response.json({})
  } catch (error) {
    return Response.json({ type: error.type }, { status: error.status ?? 500 })
  }
}
