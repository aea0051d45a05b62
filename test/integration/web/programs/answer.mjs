// What each server answers: a handler of the Fetch standard.

import { json, text, urlencoded } from '../../../../lib/web/index.js'

const options = { limit: '10kb' }
const readers = [json(options), urlencoded({ ...options, extended: true }), text(options)]

export async function answer (request) {
  try {
    for (const read of readers) {
      const body = await read(request)
      if (body !== undefined) return Response.json({ body })
    }
    return Response.json({})
  } catch (error) {
    return Response.json({ type: error.type }, { status: error.status ?? 500 })
  }
}
