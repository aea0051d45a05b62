'use strict'

// Programs of pages, run as they are, but for the port.

const assert = require('node:assert/strict')
const { fork } = require('node:child_process')
const { once } = require('node:events')
const path = require('node:path')
const { ROOT, place, run, write } = require('./project')

const INTEGRATION = path.join(__dirname, '..')

const ANY_PORT = `
const { Server } = require('node:net')
const { listen } = Server.prototype
Server.prototype.listen = function (port, ...args) {
  this.once('listening', () => process.send(this.address().port))
  return listen.call(this, 0, ...args)
}`

/** Serves the routes of a folder by Next.js. */
const NEXT = `
import { createServer } from 'node:http'
import next from 'next'
process.env.NEXT_TELEMETRY_DISABLED = '1'
const app = next({ dev: true, dir: process.cwd() })
await app.prepare()
createServer(app.getRequestHandler()).listen(3000)`

/**
 * The programs of a page. Each ends in comments, in pairs: a command with curl,
 * and what it prints.
 *
 * @param {string} page
 * @returns {{ title: string, language: string, code: string, requests: [command: string, answer: string][] }[]}
 *   in their order; `title` is that of the section
 */
function programsOf (page) {
  return page.split(/^## /m).flatMap((section) => {
    const [title] = section.split('\n')
    return Array.from(section.matchAll(/^```(js|ts)\n([^]*?)^```$/gm), ([, language, code]) => {
      const [comments] = /(\/\/ .*\n)*$/.exec(code)
      const requests = Array.from(comments.matchAll(/^\/\/ (.*\bcurl .*)\n\/\/ (.*)$/gm), ([, ...request]) => request)
      return { title, language, code, requests }
    })
  })
}

/** A folder with this package as npm would publish it, and every other that this repository tests with. */
const createProject = () => place({}, [ROOT, INTEGRATION])

/** Runs the commands of a program, and compares what they print with what the page says. */
async function ask (url, requests) {
  for (const [command, answer] of requests) {
    const { stdout } = await run('sh', ['-c', command.replace('curl localhost:3000', `curl -sS ${url.slice(0, -1)}`)])
    assert.equal(stdout.trim(), answer)
  }
}

/** For `before`: skips a suite on machines without curl. */
async function requireCurl () {
  await run('curl', ['--version']).catch(() => {
    console.log('      curl is not on this machine')
    this.skip()
  })
}

/**
 * Starts a program that listens, on another port than it says.
 *
 * @param {string} folder in which it finds its packages
 * @param {string} code
 * @param {Record<string, string>} [env] beside that of this process
 * @returns {Promise<{ url: string, child: object, log: () => string, stop: () => Promise<void> }>} `url` ends in a
 *   slash; `log` gives what it has printed on stderr
 */
async function startProgram (folder, code, env) {
  const name = /^import /m.test(code) ? 'program.mjs' : 'program.cjs'
  write(folder, { [name]: code, 'any-port.cjs': ANY_PORT })
  const options = { cwd: folder, env: { ...process.env, ...env }, execArgv: ['-r', './any-port.cjs'], silent: true }
  const child = fork(name, options)
  let stderr = ''
  child.stdout.resume()
  child.stderr.setEncoding('utf8').on('data', (chunk) => { stderr += chunk })
  const closed = once(child, 'close')
  const stop = async () => {
    child.kill('SIGKILL')
    await closed
  }
  const [port] = await Promise.race([once(child, 'message'), closed.then(() => { throw new Error(stderr) })])
  return { url: `http://127.0.0.1:${port}/`, child, log: () => stderr, stop }
}

/** The same while `use` is called with the URL and what it has printed on stderr. */
async function serve (folder, code, use, env) {
  const { url, log, stop } = await startProgram(folder, code, env)
  try {
    await use(url, log)
  } finally {
    await stop()
  }
}

module.exports = { NEXT, ask, createProject, programsOf, requireCurl, serve, startProgram }
