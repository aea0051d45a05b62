// An app that has routes of both: Express has one type for `req.files`, which is that of multer here.

import express from 'express'
import { multipart, type DiskFile, type MemoryFile, type WithFiles } from 'fast-body-parser'
import multer from 'fast-body-parser/multer'

const app = express()

app.post('/multer', multer().array('a'), (req, res) => {
  const list = req.files as Express.Multer.File[]
  res.json([list[0]?.originalname, req.file?.path])
})

app.post('/disk', multipart({ store: multipart.disk('uploads') }), async (req, res) => {
  const { files } = req as typeof req & WithFiles<DiskFile>
  await files.avatar?.[0]?.keep('kept')
  // @ts-expect-error There may be none.
  res.json([files.avatar[0], req.body.title])
})

app.post('/memory', multipart(), (req, res) => {
  const { files } = req as typeof req & WithFiles
  const file: MemoryFile | undefined = files.avatar?.[0]
  res.json(file?.bytes.length)
})
