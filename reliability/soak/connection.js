'use strict'

// One keep-alive connection of the mix.

const { setImmediate: turn } = require('node:timers/promises')
const { serializeRequest, split } = require('../../tools/http-message')
const RawConnection = require('../../tools/raw-connection')

const TIMEOUT = 30_000 // ms without a response
const DISTURBED = 50 // ms to wait for an answer that an act may prevent
const CHUNKS = 2

let ids = 0

class Connection {
  /** @param {number} port of a server on the loopback interface */
  constructor (port) {
    this.port = port
    this.raw = null
  }

  /** Opens it again if the server has closed it. */
  async open () {
    if (this.raw === null || this.raw.closed) this.raw = await RawConnection.open(this.port)
  }

  /**
   * Sends messages, one after the other, and checks the responses.
   *
   * @param {import('./traffic').Message[]} messages
   * @param {number} pieces number of writes
   * @returns {Promise<string[]>} what was wrong
   */
  async exchange (messages, pieces) {
    await this.open()
    const requests = messages.map(serialize)
    const responses = this.raw.responses(requests.length, TIMEOUT)
    await this.write(Buffer.concat(requests.map(({ bytes }) => bytes)), pieces)
    const seen = await responses
    return messages.flatMap(({ expect }, index) => differences(expect, requests[index].id, seen[index]))
  }

  /** Sends a part of the message, and waits until the server has had enough. */
  async stall (message, part) {
    await this.open()
    const { id, bytes } = serialize(message)
    const responses = this.raw.responses(1, TIMEOUT)
    this.raw.write(bytes.subarray(0, Math.floor(bytes.length * part)))
    const [seen] = await responses
    this.close()
    return differences({ ...message.expect, status: 408, text: 'request.timeout' }, id, seen)
  }

  /**
   * Sends the message, or a part of it, to code that acts on the request while
   * it is parsed. Any answer is right, or none.
   */
  async disturb (message, { act, step }, part, pieces) {
    await this.open()
    const { bytes } = serialize({ ...message, headers: { ...message.headers, 'X-Act': act, 'X-Step': step } })
    const answer = this.raw.responses(1, DISTURBED)
    await this.write(bytes.subarray(0, Math.floor(bytes.length * part)), pieces)
    await answer
    this.close()
  }

  /** Sends a part of the message, and closes the connection. */
  async abort (message, part) {
    await this.open()
    const { bytes } = serialize(message)
    await this.write(bytes.subarray(0, Math.floor(bytes.length * part)), 1)
    await turn()
    this.close()
  }

  close () {
    this.raw?.close()
    this.raw = null
  }

  /** Does not wait until the pieces are sent, so that some of them queue. */
  async write (bytes, pieces) {
    for (const [index, piece] of split(bytes, pieces).entries()) {
      if (index > 0) await turn()
      this.raw.write(piece)
    }
  }
}

/** A request with an id of its own. */
function serialize ({ method, headers, body, chunked }) {
  const id = String(++ids)
  const fields = { Host: 'soak', 'X-Id': id, ...headers }
  return { id, bytes: serializeRequest({ method, headers: fields, body, chunks: chunked ? CHUNKS : undefined }) }
}

function differences (expect, id, response) {
  if (response === undefined) return [`no answer to ${id}, which should be ${expect.status}`]
  const { status, headers } = response
  if (headers['x-id'] !== id) return [`request ${id} got the answer to ${headers['x-id']}`]
  const text = response.body.toString()
  if (status === expect.status && text === expect.text) return []
  if (expect.mayExceedBudget && status === 503 && text === 'budget.exceeded') return []
  return [`${status} ${text.slice(0, 100)} instead of ${expect.status} ${expect.text.slice(0, 100)}`]
}

module.exports = { Connection, differences, serialize }
