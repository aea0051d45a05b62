'use strict'

const children = require('./children')
const Failure = require('./failure')

const KEPT = 2000 // characters of stderr

/**
 * A child process and what it answers over IPC.
 */
class Channel {
  /**
   * @param {string} name what errors call it
   * @param {string[]} command program and arguments
   * @param {string} cwd
   */
  constructor (name, command, cwd) {
    this.name = name
    this.stderr = ''
    this.waiting = null
    this.gone = null // why there will be no answer any more
    this.died = new Promise((resolve, reject) => { this.reportDeath = reject })
    this.died.catch(() => {}) // whoever waits for it handles it
    const env = { ...process.env, NODE_ENV: 'production', NODE_OPTIONS: '' }
    this.child = children.start(command[0], command.slice(1), { cwd, env, stdio: ['ignore', 'ignore', 'pipe', 'ipc'] })
    this.child.stderr.setEncoding('utf8').on('data', (text) => {
      this.stderr = (this.stderr + text).slice(-KEPT)
    })
    this.child.on('message', (message) => this.take(message))
    this.child.once('error', (error) => this.fail(error.message))
    this.child.once('close', (code, signal) => {
      const reason = reasonOf(this.stderr)
      this.fail(`died (${signal || `status ${code}`})${reason && `: ${reason}`}`)
    })
  }

  /**
   * @param {object | null} message to send; null to send none
   * @param {string} type of the answer
   * @param {number} timeout ms
   * @returns {Promise<object>} the answer
   */
  ask (message, type, timeout) {
    return new Promise((resolve, reject) => {
      if (this.gone !== null) return reject(this.gone)
      const timer = setTimeout(() => this.fail(`gave no answer within ${timeout / 1000} s`), timeout)
      this.waiting = { resolve, reject, type, timer }
      if (message !== null) this.child.send(message, () => {}) // if it is gone, `close` says so
    })
  }

  take (message) {
    if (message.type === 'failed') return this.fail(message.reason)
    if (this.waiting?.type !== message.type) return
    this.settle().resolve(message)
  }

  fail (reason) {
    this.gone ??= new Failure(`${this.name}: ${reason}`)
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
      children.end(child)
    })
  }
}

/** The error in what Node.js prints when it dies of one. */
function reasonOf (stderr) {
  const lines = stderr.split('\n').map((line) => line.trim()).filter((line) => line !== '')
  return lines.find((line) => /^(Uncaught )?\w*Error\b/.test(line)) ?? lines.at(-1) ?? ''
}

module.exports = Channel
