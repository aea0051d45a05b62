'use strict'

// One request in the server: the parser, the act, and what can be seen of both.

const fs = require('node:fs')
const os = require('node:os')
const path = require('node:path')
const Watched = require('../watched')
const acts = require('./acts')
const lanes = require('./lanes')
const steps = require('./steps')

const LONG = 60_000 // ms, which no cell takes on a busy machine: the timer must be there, and go

class Exchange extends Watched {
  /**
   * @param {import('./cells').Cell} cell
   * @param {{ middleware: object, web: object | null }} subject the parsers
   */
  constructor (cell, subject) {
    super()
    this.subject = subject
    this.isOurs = subject.middleware.createBudget !== undefined
    this.lane = lanes[cell.lane]
    this.step = steps[cell.step]
    this.perform = acts[cell.act].run
    this.error = Object.assign(new Error('of the act'), { code: 'OF_THE_ACT', exchange: this })
    this.calls = [] // of `next`
    this.acted = 0
    this.hasLeft = false // the client
    this.folder = this.lane.hasFiles ? fs.mkdtempSync(path.join(os.tmpdir(), 'matrix-multer-')) : null
    this.isUpload = this.lane.parser === 'multer'
  }

  get isOver () {
    return this.client.isOver
  }

  handle (req, res) {
    this.watch(req, res, this.isOurs)
    this.step.arrange({ req, parse: () => this.parse(), act: () => this.act() })
  }

  act () {
    this.acted++
    if (this.step.hook === undefined && this.perform !== acts.throw.run) {
      try {
        this.perform(this)
      } catch {} // such as what an event without listeners throws
    } else {
      this.perform(this)
    }
  }

  parse () {
    const { lane, req, res, subject: { middleware, uploads, web } } = this
    const factories = { web, multer: uploads }[lane.call?.module ?? lane.parser] ?? middleware
    const parser = factories[lane.parser](this.options())
    const next = (...error) => this.next(...error)
    if (lane.call === undefined) parser(req, res, next)
    else lane.call(this, parser, next)
  }

  options () {
    const { folder, lane: { isGuarded, options }, step: { hook }, subject: { middleware: { createBudget } } } = this
    const own = { ...typeof options === 'function' ? options({ createBudget, folder }) : options }
    if (isGuarded && this.isOurs) {
      Object.assign(own, { budget: createBudget({ bytes: 1_000_000 }), timeout: LONG, minRate: 1 })
    }
    this.budget = own.budget ?? null
    const called = (original) => (...args) => {
      if (this.acted === 0) this.act()
      return original(...args)
    }
    if (hook === 'verify') own.verify = called(own.verify ?? (() => {}))
    if (hook === 'fileFilter') own.fileFilter = called((req, file, done) => done(null, true))
    if (hook === '_handleFile') own.storage._handleFile = called(own.storage._handleFile)
    if (hook === 'parse' && own.parse) own.parse = called(own.parse)
    else if (hook === 'parse') own.reviver = called((key, value) => value)
    return own
  }

  next (...args) {
    const [error] = args
    const { isUpload } = this
    const isDone = args.length === 0 || (isUpload && error === undefined)
    const type = isUpload ? error?.code ?? error?.message : error?.type // multer's errors have neither type nor status
    const result = isDone ? this.bodyText() : type ?? error?.code ?? error?.status ?? error
    this.calls.push({
      result: isUpload || error?.status == null ? String(result) : `${error.status} ${result}`,
      isFailed: !isDone,
      within: this.callsAround(),
      isEarly: !this.hasLeft
    })
    this.check()
    if (this.step.hook === 'next' && this.calls.length === 1) this.act()
    if (this.calls.length > 1) return
    const status = error?.status >= 400 ? error.status : 500
    if (isDone) this.respond(200, isUpload ? 'stored' : 'parsed')
    else this.respond(isUpload ? 500 : status, String(type))
  }

  bodyText () {
    const { body, files } = this.req
    if (this.isUpload) return `${files?.map(({ size }) => size)} ${Object.keys(body ?? {})}`
    if (body === undefined) return 'no body'
    const text = Buffer.isBuffer(body) ? body.toString('latin1') : JSON.stringify(body)
    return text.length > 100 ? `${text.slice(0, 20)}...${text.length}` : text
  }

  /** Files on the disk that nobody knows of. */
  filesLeft () {
    if (this.folder === null) return []
    const files = fs.readdirSync(this.folder)
    fs.rmSync(this.folder, { recursive: true })
    const isStored = this.calls.length > 0 && !this.calls[0].isFailed
    return isStored || files.length === 0 ? [] : [`${files.length} files`]
  }

  /** What is seen of the exchange once it has ended. */
  observe () {
    const { acted, calls, faults, uncaught, client } = this
    return {
      acted,
      calls: calls.map(({ result }) => result),
      isEarly: calls[0]?.isEarly,
      within: calls.flatMap(({ within }) => within),
      answer: client.answer(),
      uncaught: [...uncaught],
      faults: [...faults],
      left: [...this.leftovers(), ...this.filesLeft()],
      isNative: this.lane.call?.module === 'web'
    }
  }
}

module.exports = Exchange
