'use strict'

const { memoryOf } = require('../../core/source/chunk-list')
const { markHandled } = require('../../core/handled-promise')

/**
 * The stream of a file for a store of /web. It wraps a ReadableStream in the methods that ./app-file.js calls, which
 * are those of ./file-stream.js, and holds no bytes: a chunk is given when it is asked for.
 */
class WebStream {
  /** What `formData()` would give of a file in memory. */
  static describeBytes ({ name, type }) {
    return (joined) => {
      const bytes = new Uint8Array(memoryOf(joined))
      return { bytes, toFile: () => new File([bytes], name, { type }) }
    }
  }

  /**
   * @param {{ field: string, name: string, folder: string, type: string }} file
   * @param {import('./app-file')} stored has the bytes, and is told what becomes of the stream
   */
  constructor (file, stored) {
    this.stored = stored
    this.destroyed = false
    this.errored = null
    this.readableLength = 0
    this.isPiped = false // a ReadableStream does not tell
    this.isObserved = true // an error of it ends no process
    this.answer = null // of the read that waits
    const stream = new ReadableStream({
      start: (controller) => { this.controller = controller },
      pull: () => this.pull(),
      cancel: () => this.end()
    }, { highWaterMark: 0 })
    this.stream = stream
    this.handedOut = {
      ...file,
      stream,
      peek: (size) => markHandled(stored.peek(size).then((bytes) => new Uint8Array(bytes))),
      [Symbol.asyncIterator]: () => iterate(stream)
    }
  }

  pull () {
    return new Promise((resolve) => {
      this.answer = resolve
      this.stored.onRead()
    })
  }

  /** @param {Uint8Array | null} chunk null at the end */
  push (chunk) {
    if (chunk === null) this.controller.close()
    else this.controller.enqueue(new Uint8Array(memoryOf(chunk))) // a byte stream takes the memory of what it is given
    this.answer?.()
    if (chunk === null) this.end()
  }

  destroy (error) {
    this.errored = error
    this.controller.error(error)
    this.end()
  }

  endRead (createFault) {
    this.destroy(createFault())
  }

  end () {
    this.destroyed = true
    this.answer?.()
    this.stored.releaseBytes()
  }

  /** Has a reader, which may go on. */
  get isInUse () {
    return this.stream.locked
  }
}

/** Some browsers have streams that are not iterable. */
async function * iterate (stream) {
  const reader = stream.getReader()
  try {
    for (let result; !(result = await reader.read()).done;) yield result.value
  } finally {
    reader.cancel().catch(() => {}) // which does nothing at the end
    reader.releaseLock()
  }
}

module.exports = WebStream
