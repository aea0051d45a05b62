'use strict'

// A child process that answers commands over IPC: the parent's side, and the child's, which needs no packages and
// runs on any version of Node.js.

const { EventEmitter, once } = require('node:events')
const { spawn } = require('./child-process')
const UserError = require('./user-error')

const KEPT = 2000 // characters of stderr

/** The parent's side. */
class IpcProcess {
  /**
   * @param {string} name of the process in error messages
   * @param {string[]} command program and arguments
   * @param {string} cwd
   */
  constructor (name, [program, ...args], cwd) {
    this.name = name
    this.answers = new EventEmitter() // by the type of the command
    this.died = new Promise((resolve, reject) => { this.reportDeath = reject })
    this.died.catch(() => {}) // handled by those who wait for it
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' }
    this.child = spawn(program, args, { cwd, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    let stderr = ''
    this.child.stderr.setEncoding('utf8').on('data', (text) => { stderr = (stderr + text).slice(-KEPT) })
    this.child.on('message',
      ({ type, reason, ...answer }) => type === 'failed' ? this.fail(reason) : this.answers.emit(type, answer))
    this.child.once('error', (error) => this.fail(error.message))
    this.child.once('close', (code, signal) => {
      const reason = reasonIn(stderr)
      this.fail(`died (${signal || `status ${code}`})${reason && `: ${reason}`}`)
    })
  }

  /** @param {number} timeout ms @returns {Promise<object>} what the process says when it is ready */
  ready (timeout) {
    return this.expect('ready', timeout)
  }

  /**
   * @param {string} type of the command
   * @param {object} fields of it
   * @param {number} timeout ms
   * @returns {Promise<object>} the answer
   */
  ask (type, fields, timeout) {
    const answer = this.expect(type, timeout)
    if (this.child.connected) this.child.send({ type, ...fields }, () => {}) // 'close' reports a process that is gone
    return answer
  }

  async expect (type, timeout) {
    const timer = setTimeout(() => this.fail(`gave no answer within ${timeout / 1000} s`), timeout)
    try {
      const [answer] = await Promise.race([this.died, once(this.answers, type)])
      return answer
    } finally {
      clearTimeout(timer)
    }
  }

  fail (reason) {
    this.reportDeath(new UserError(`${this.name}: ${reason}`))
  }

  /** Ends the process. */
  async close () {
    const { child } = this
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
    child.kill('SIGKILL')
    await once(child, 'exit')
  }
}

/** The error in what Node.js prints when it exits because of one. */
function reasonIn (stderr) {
  const lines = stderr.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  return lines.find((line) => /^(Uncaught )?\w*Error\b/.test(line)) ?? lines.at(-1) ?? ''
}

// The child's side.

/**
 * Answers the commands of the parent, and exits when the parent is gone.
 *
 * @param {Record<string, (fields: object) => object | void | Promise<object | void>>} handlers by type
 *   of command; they return the fields of the answer. An error ends the exchange
 */
function handleCommands (handlers) {
  process.on('message', async ({ type, ...fields }) => {
    try {
      process.send({ type, ...await handlers[type](fields) })
    } catch (error) {
      process.send({ type: 'failed', reason: error.message })
    }
  })
  process.on('disconnect', () => process.exit())
}

/** Tells the parent that the first command may come. */
const sayReady = (fields = {}) => process.send({ type: 'ready', ...fields })

/** Tells the parent what is wrong, and exits. */
const failAndExit = (error) => process.send({ type: 'failed', reason: error.message }, () => process.exit(1))

module.exports = { IpcProcess, handleCommands, sayReady, failAndExit }
