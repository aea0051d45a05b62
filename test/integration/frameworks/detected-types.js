'use strict'

// Option `detect` with the package file-type, as docs/multipart.md has it.

const assert = require('node:assert/strict')
const zlib = require('node:zlib')
const { multipart } = require('../../../lib/web')

const PNG = Buffer.concat([
  Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0', 'latin1'),
  Buffer.alloc(10_000),
  Buffer.from('IEND')
])

/** What is sent, by name: its bytes, the type that the client says, and what it is. */
const FILES = {
  'a.txt': [PNG, 'text/plain', 'image/png'],
  'b.png': ['<script>alert(1)</script>', 'image/png', 'application/octet-stream'],
  'c.png': ['%PDF-1.7\n', 'image/png', 'application/pdf'],
  'd.png': [zlib.gzipSync('hello'), 'image/png', 'application/gzip'],
  'e.png': ['', 'image/png', 'application/octet-stream']
}

it('file-type tells, as detect, what files are, whatever a client calls them', async () => {
  const { fileTypeFromBuffer } = await import('file-type')
  const detect = async (head) => (await fileTypeFromBuffer(head))?.mime
  const body = new FormData()
  for (const [name, [bytes, type]] of Object.entries(FILES)) body.append('f', new Blob([bytes], { type }), name)
  const { files } = await multipart({ detect })(new Request('http://localhost/', { method: 'POST', body }))
  assert.deepEqual(files.f.map(({ name, type }) => [name, type]),
    Object.entries(FILES).map(([name, [, , type]]) => [name, type]))
})
