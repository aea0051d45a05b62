'use strict'

// `multipart()` of fast-body-parser/web in the place of the middleware, so that
// the tests of that run through it: a request of Node.js becomes a Request, and a
// form what the middleware sets.

const assert = require('node:assert/strict')
const { Readable } = require('node:stream')
const bodyParser = require('../..')
const web = require('../../lib/web')

/** @returns {Request} whose client has left once that of the request has */
function requestOf (req) {
  const controller = new AbortController()
  req.once('close', () => { if (req.complete === false) controller.abort() })
  const headers = Object.entries(req.headers).map(([name, value]) => [name, String(value)])
  const hasBody = req.headers['content-length'] !== undefined || req.headers['transfer-encoding'] !== undefined
  const body = hasBody ? Readable.toWeb(req) : undefined
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half', signal: controller.signal })
}

/** What has bytes, as the middleware shows it. The same object, as its path changes when it is kept. */
function shownOf (file) {
  if (file.bytes === undefined) return file
  delete file.toFile
  return Object.assign(file, { bytes: Buffer.from(file.bytes) })
}

function multipart (options) {
  const readForm = web.multipart(options)
  return Object.assign(multipartOfWeb, { parts: (req) => parts(readForm.parts(requestOf(req))) })

  function multipartOfWeb (req, res, next) {
    const report = (...error) => setImmediate(next, ...error) // what it throws is no rejection
    readForm(requestOf(req)).then((form) => {
      if (form === undefined) {
        req.files = options?.store === 'stream' ? Readable.from([]) : Object.create(null)
        return report()
      }
      req.body = form.fields
      if (Symbol.asyncIterator in form.files) {
        req.files = form.files
        return report()
      }
      req.files = Object.create(null)
      for (const [name, files] of Object.entries(form.files)) req.files[name] = files.map(shownOf)
      res?.once?.('close', () => form.dispose())
      report()
    }, report)
  }
}

async function * parts (loop) {
  for await (const part of loop) yield part.stream === undefined ? shownOf(part) : part
}

/**
 * Loads a test that calls `multipart` of the package, which is then that of /web.
 *
 * @param {string} file
 * @param {string[]} others beginnings, or ends, of titles of tests that are about the middleware alone
 */
function loadThroughWeb (file, others) {
  const { it, multipart: middleware } = { it: globalThis.it, multipart: bodyParser.multipart }
  delete require.cache[file]
  bodyParser.multipart = Object.assign(multipart, { disk: web.multipart.disk })
  const unknown = new Set(others)
  const isOther = (title) => others.some((text) => {
    const isSame = title.startsWith(text) || title.endsWith(text)
    if (isSame) unknown.delete(text)
    return isSame
  })
  globalThis.it = (title, ...rest) => isOther(title) ? undefined : it(title, ...rest)
  try {
    require(file)
    assert.deepEqual([...unknown], [], 'no test has this title')
  } finally {
    globalThis.it = it
    bodyParser.multipart = middleware
    delete require.cache[file]
  }
}

module.exports = { loadThroughWeb }
