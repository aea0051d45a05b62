'use strict'

// Programs that print the port that they listen on, under each runtime that docs/runtimes.md names.

const { spawn } = require('node:child_process')
const net = require('node:net')
const path = require('node:path')
const { createFolder, remove } = require('./project')

const COMMANDS = path.join(__dirname, '../node_modules/.bin')
const PIECE = 10_007 // bytes

/** Runtime -> its command, before the name of a program. */
const RUNTIMES = {
  'Node.js': [process.execPath],
  Bun: [path.join(COMMANDS, 'bun'), 'run'],
  Deno: [path.join(COMMANDS, 'deno'), 'run', '-A', '--quiet']
}

class Server {
  /**
   * @param {string[]} command
   * @param {string} cwd
   */
  static async start ([program, ...args], cwd) {
    const folder = createFolder() // for what it stores
    const env = { ...process.env, TMPDIR: folder }
    const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'inherit'] })
    child.once('close', () => remove(folder))
    let output = ''
    for await (const chunk of child.stdout.iterator({ destroyOnReturn: false })) {
      output += chunk
      const port = /^(\d+)\n|"port":(\d+)/.exec(output)?.slice(1).find(Boolean)
      if (port !== undefined) return new Server(child, Number(port))
    }
    throw new Error(`${program} has ended: ${output}`)
  }

  constructor (child, port) {
    this.child = child
    this.port = port
  }

  stop () {
    this.child.kill()
  }

  async ask (path, init) {
    const response = await fetch(`http://127.0.0.1:${this.port}${path}`, { duplex: 'half', ...init })
    return [response.status, await response.json()]
  }

  /** @returns {Promise<[status: number, answer: unknown]>} */
  post (path, body, type) {
    return this.ask(path, { method: 'POST', body, headers: type && { 'content-type': type } })
  }

  /** A client's end of a connection, on which the head of a POST request has been sent. */
  connect (path, fields) {
    const socket = net.connect(this.port, '127.0.0.1').on('error', () => {})
    const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`)
    socket.write(`POST ${path} HTTP/1.1\r\nHost: test\r\n${lines.join('')}\r\n`)
    return socket
  }
}

/** The same body in pieces, so that its length is not declared. */
function inPieces (body) {
  return new Blob([body]).stream().pipeThrough(new TransformStream({
    transform (chunk, controller) {
      for (let at = 0; at < chunk.length; at += PIECE) controller.enqueue(chunk.subarray(at, at + PIECE))
    }
  }))
}

module.exports = { RUNTIMES, Server, inPieces }
