// What `multipart` takes, and gives.

import bodyParser, {
  createBudget, multipart, type DiskFile, type FileStream, type FormFile, type MemoryFile, type StoredFile,
  type WithFiles, type WithStreamedFiles
} from 'fast-body-parser'
import alone from 'fast-body-parser/multipart'
import type connect from 'connect'
import type express from 'express'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { text } from 'node:stream/consumers'

declare const app: express.Express
declare const server: connect.Server
declare const req: IncomingMessage
declare const res: ServerResponse

app.use(multipart(), bodyParser.multipart({}), alone({ extended: true, depth: 3 }))
server.use(multipart())
app.post('/', multipart({ limit: '20mb' }), (req, res) => {
  const { files } = req as typeof req & WithFiles
  const first: MemoryFile | undefined = files.avatar?.[0]
  // @ts-expect-error
  console.log(files.avatar[0])
  res.json([req.body.title, first?.bytes.length, first?.name])
})
app.post('/', async (req, res) => {
  const { files } = req as typeof req & WithFiles<DiskFile>
  for (const file of files.avatar ?? []) await file.keep(`kept/${file.size}`)
  res.end()
})
app.post('/', multipart({ store: 'stream' }), async (req, res) => {
  const { files } = req as Omit<typeof req, 'files'> & WithStreamedFiles
  for await (const file of files) res.write(`${file.field} ${file.name} ${file.type} ${(await file.peek(4)).length}`)
  // @ts-expect-error
  console.log(files.avatar)
  res.end()
})
// @ts-expect-error
multipart({ files: { a: { store: 'stream' } } })
multipart({
  fields: { max: 1, size: '1kb' },
  files: { a: { max: 1, size: '5mb', types: ['image/*'] }, b: {} },
  parts: { max: 10, header: '8kb', name: 50 },
  store: 'memory',
  budget: createBudget({ bytes: 1 }),
  timeout: 5,
  minRate: 5,
  drainLimit: 5,
  buffered: true,
  inflate: false
})
multipart({ files: false })
multipart({ type: ['multipart/form-data'], defaultCharset: 'windows-1251', digest: 'sha256', contentDigest: 'check' })
multipart({ type: (req) => req.url === '/form', limit: (req) => Number(req.headers['x-limit']) })
multipart({ store: (file: FileStream) => file.name })
multipart({
  async store (file, { fields, signal }) {
    const title: string | string[] | undefined = fields.title
    signal.throwIfAborted()
    const signature: Buffer = await file.peek(8)
    return [title, file.field, `${file.folder}/${file.name}`, file.type, signature, await text(file)]
  }
})
multipart({
  files: {
    a: {
      min: 1,
      filter: ({ field, name, folder, type }, { req, fields, signal }) =>
        !signal.aborted && req.url === field + name + folder + type && 'a' in fields
    },
    b: {
      filter: async () => true,
      store: multipart.disk('uploads', { mode: 0o640, filename: async ({ field }, { req }) => `${field}${req.url}` })
    },
    '*': { filter: undefined, store: (file, { req }) => file.pipe(res).once(req.method ?? '', () => {}) }
  },
  total: '20mb'
})
export const kept = (file: DiskFile): Promise<void[]> => Promise.all([
  file.keep(), file.keep('x'), file.keep(new URL('file:///x'))
])
// @ts-expect-error
multipart.disk('uploads', { filename: () => 1 })
// @ts-expect-error
multipart({ files: { a: { filter: true } } })
// @ts-expect-error
export const size = multipart({ files: { a: { filter: (file) => file.size > 1 } } })
// @ts-expect-error
multipart({ type: 'multipart/*' })
// @ts-expect-error
multipart({ digest: true })
// @ts-expect-error
multipart({ verify () {} })
// @ts-expect-error
multipart({ rawBody: true })
// @ts-expect-error
multipart({ store: 'disk' })
// @ts-expect-error
multipart({ files: true })
// @ts-expect-error
multipart({ files: { a: { type: [] } } })

export const directory: string = multipart.disk('uploads').directory
export const body: Promise<any> = multipart().read(req, res)
export const files: FormFile[] = [
  { field: '', name: '', folder: '', type: '', size: 0, value: 1 } as StoredFile<number>
]
export async function loop (): Promise<void> {
  for await (const part of multipart().parts(req, res)) {
    if (part.name === undefined) part.bytes.toString(part.type === part.value ? 'hex' : 'utf8')
    else part.pipe(res).once(part.type + part.folder, () => {})
    const id: string | undefined = part.headers['content-id']
    console.log(id)
  }
}

multipart({ detect: (head: Buffer, { type }) => head.length > 4 ? type : undefined })
multipart({ detect: async (head) => head.readUInt8(0) === 0x89 ? 'image/png' : null })
// @ts-expect-error
multipart({ detect: () => 5 })
export const hex = (file: FormFile): string | undefined => file.digest
