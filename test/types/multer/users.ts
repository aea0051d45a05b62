// Code of users of @types/multer, which compiles with these types as well: with both packages, and with this one alone.

import express, { type Request, type RequestHandler } from 'express'
import multer, {
  MulterError, diskStorage, memoryStorage, type FileFilterCallback, type StorageEngine
} from 'fast-body-parser/multer'
import type { Readable, Writable } from 'node:stream'
import fs from 'node:fs'

const app = express()
const upload: multer.Multer = multer({
  dest: 'uploads/',
  limits: { fileSize: 5e6, files: 2, fieldNestingDepth: 3, fieldArrayIndexLimit: 9 }
})
const handlers: RequestHandler[] = [
  upload.single('a'), upload.array('a'), upload.array('a', 2),
  upload.fields([{ name: 'a', maxCount: 1 }, { name: 'b' }]), upload.none(), upload.any()
]

app.post('/', handlers, (req: Request, res: express.Response) => {
  const file: Express.Multer.File | undefined = req.file
  const files = req.files as Record<string, Express.Multer.File[]>
  const list = req.files as Express.Multer.File[]
  const texts: string[] = [
    file?.originalname ?? '', file?.path ?? '', list[0]?.mimetype ?? '', files.a?.[0]?.filename ?? '',
    req.file?.destination ?? ''
  ]
  const buffer: Buffer | undefined = req.file?.buffer
  const size: number | undefined = buffer?.length ?? req.file?.size
  if (Array.isArray(req.files)) res.json(req.files.map(({ fieldname }) => fieldname))
  else res.json([texts, size, req.files?.a])
})

const fileFilter = (req: Request, file: Express.Multer.File, cb: FileFilterCallback): void => {
  if (file.mimetype.startsWith('image/')) cb(null, true)
  else if (req.params.id) cb(null, false)
  else cb(new Error('not an image'))
}
multer({ fileFilter, preservePath: true, defParamCharset: 'utf8', storage: memoryStorage() })
multer({
  fileFilter (req, file, cb) {
    cb(null, req.headers.accept !== file.encoding)
  },
  storage: diskStorage({
    destination: (req, file, cb) => cb(null, `uploads/${req.params.id}`),
    filename (req, file, cb) { cb(null, `${file.fieldname}-${Date.now()}`) }
  })
})
multer({ storage: multer.diskStorage({ destination: 'uploads' }) })
multer()

class Engine implements StorageEngine {
  _handleFile (
    req: Request, file: Express.Multer.File, cb: (error?: any, info?: Partial<Express.Multer.File>) => void
  ): void {
    const stream: Readable = file.stream
    const target = fs.createWriteStream('a')
    stream.pipe(target).on('error', cb).on('finish', () => cb(null, { path: 'a', size: target.bytesWritten }))
  }

  _removeFile (req: Request, file: Express.Multer.File, cb: (error: Error | null) => void): void {
    fs.unlink(file.path, cb)
  }
}
multer({ storage: new Engine() })

app.use((error: unknown, req: Request, res: express.Response, next: express.NextFunction) => {
  if (!(error instanceof MulterError)) return next(error)
  const code: multer.ErrorCode = error.code
  const unexpected = new multer.MulterError('LIMIT_UNEXPECTED_FILE', error.field)
  res.status(400).json([code, error.message, error.name, unexpected.message, code === 'LIMIT_FILE_SIZE'])
})

// What @types/multer does not have.
multer({ limits: (req) => ({ fileSize: Number(req.headers['x-max']), total: 1e7 }), defCharset: 'utf8', timeout: 5000 })
multer({ streamHandler (req, stream: Writable) { req.pipe(stream) } })
multer({ storage: diskStorage({ flush: true }) })

// @ts-expect-error
multer({ dest: 5 })
// @ts-expect-error
multer({ limits: { fileSize: '5mb' } })
// @ts-expect-error
upload.fields(['a'])

multer({ detect: async (head: Buffer, file) => head.length > 4 ? file.mimetype : undefined })
// @ts-expect-error
multer({ detect: () => 5 })
