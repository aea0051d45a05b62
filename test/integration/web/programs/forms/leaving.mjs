// A server that tells what became of each form: GET answers with the outcome of the form of that path, once it is
// there, and with what is left in the folder.

import { mkdtempSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { multipart } from '../../../../../lib/web/index.js'
import { listen } from '../listen.mjs'

const folder = mkdtempSync(join(tmpdir(), 'web-forms-'))
const never = () => new Promise(() => {})
const outcomes = new Map() // path -> a promise

async function collect (file) {
  for await (const chunk of file.stream) if (chunk.length === 0) throw new Error('an empty chunk')
}

/** Reads nothing, and waits for the signal. */
async function wait (file, { signal }) {
  await new Promise((resolve) => signal.addEventListener('abort', resolve))
  throw signal.reason
}

// ms. Node.js does not see that a client leaves while it reads nothing of it, nor Deno once the whole body is there.
const timeout = 500
const files = { f: { size: '9mb' } }
const schema = { '~standard': { version: 1, vendor: 'test', validate: never } }
const readers = {
  disk: multipart({ files, store: multipart.disk(folder) }),
  store: multipart({ files, store: collect }),
  unread: multipart({ files, store: wait, timeout }),
  filter: multipart({ files: { f: { filter: never } }, timeout }),
  schema: multipart({ files, store: multipart.disk(folder), schema, timeout })
}

async function parts (request) {
  for await (const part of readers.store.parts(request)) await collect(part)
}

const outcomeOf = (name) =>
  outcomes.get(name) ?? new Promise((resolve) => setTimeout(resolve, 5)).then(() => outcomeOf(name))

listen(async (request) => {
  const { pathname } = new URL(request.url)
  if (request.method === 'GET') return Response.json([await outcomeOf(pathname), readdirSync(folder).length])
  const [, way] = pathname.split('/')
  const reading = way === 'parts' ? parts(request) : readers[way](request)
  outcomes.set(pathname, reading.then(() => 'read', ({ type, status }) => `${status} ${type}`))
  await reading.then((form) => form?.dispose()).catch(() => {})
  return new Response('done')
})
