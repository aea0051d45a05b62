'use strict'

/** A body of these chunks, which ends behind them unless it is open. */
function streamOf (chunks, { isOpen = false } = {}) {
  return new ReadableStream({
    start (controller) {
      for (const chunk of chunks) controller.enqueue(chunk)
      if (!isOpen) controller.close()
    }
  })
}

/** A Request with this body, which may be a stream. */
function post (body, headers, more) {
  return new Request('http://localhost/', { method: 'POST', headers, body, duplex: 'half', ...more })
}

/** A Request whose body arrives in these pieces. */
function postPieces (pieces, headers, more) {
  const chunks = pieces.filter(({ length }) => length > 0).map((piece) => new Uint8Array(Buffer.from(piece)))
  return post(streamOf(chunks), headers, more)
}

/** What parsers need of a Request, with a body whose chunks a Request of this runtime would refuse. */
function requestLike (body, headers) {
  return { headers: new Headers(headers), bodyUsed: false, body }
}

module.exports = { post, postPieces, requestLike, streamOf }
