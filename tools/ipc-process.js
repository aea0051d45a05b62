'use strict'

const { kill, spawn } = require('./child-process')
const UserError = require('./user-error')

const KEPT = 2000 // characters of stderr

/**
 * A child process that answers commands over IPC. Its side is ipc-worker.js.
 */
class IpcProcess {
  /**
   * @param {string} name of the process in error messages
   * @param {string[]} command program and arguments
   * @param {string} cwd
   */
  constructor (name, command, cwd) {
    this.name = name
    this.stderr = ''
    this.waiting = null
    this.gone = null // why there will be no more answers
    this.died = new Promise((resolve, reject) => { this.reportDeath = reject })
    this.died.catch(() => {}) // handled by those who wait for it
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' }
    this.child = spawn(command[0], command.slice(1), { cwd, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr = (this.stderr + text).slice(-KEPT)
    })
    this.child.on('message', (message) => this.receive(message))
    this.child.once('error', (error) => this.fail(error.message))
    this.child.once('close', (code, signal) => {
      const reason = reasonIn(this.stderr)
      this.fail(`died (${signal || `status ${code}`})${reason && `: ${reason}`}`)
    })
  }

  /**
   * @param {number} timeout ms
   * @returns {Promise<object>} what the process says when it is ready
   */
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
    if (this.gone === null) this.child.send({ type, ...fields }, () => {}) // 'close' reports a process that is gone
    return answer
  }

  expect (type, timeout) {
    return new Promise((resolve, reject) => {
      if (this.gone !== null) return reject(this.gone)
      const timer = setTimeout(() => this.fail(`gave no answer within ${timeout / 1000} s`), timeout)
      this.waiting = { resolve, reject, type, timer }
    })
  }

  receive (message) {
    if (message.type === 'failed') return this.fail(message.reason)
    if (this.waiting?.type !== message.type) return
    const { type, ...answer } = message
    this.settle().resolve(answer)
  }

  fail (reason) {
    this.gone ??= new UserError(`${this.name}: ${reason}`)
    this.reportDeath(this.gone)
    if (this.waiting !== null) this.settle().reject(this.gone)
  }

  settle () {
    const { waiting } = this
    this.waiting = null
    clearTimeout(waiting.timer)
    return waiting
  }

  /** Ends the process. */
  close () {
    const { child } = this
    if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return Promise.resolve()
    return new Promise((resolve) => {
      child.once('exit', resolve)
      kill(child)
    })
  }
}

/** The error in what Node.js prints when it exits because of one. */
function reasonIn (stderr) {
  const lines = stderr.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  return lines.find((line) => /^(Uncaught )?\w*Error\b/.test(line)) ?? lines.at(-1) ?? ''
}

module.exports = IpcProcess
