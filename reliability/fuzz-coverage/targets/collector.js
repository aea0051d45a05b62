'use strict'

// lib/collect.js against body-parser: the input is a script of what happens to
// a request, and the same happens to two equal ones in the same moments.

const path = require('node:path')
const bodyParser = require('body-parser')
const subject = { json: require('../../../lib/types/json'), raw: require('../../../lib/types/raw'), text: require('../../../lib/types/text') }
const { readScript, ACTS } = require('../script')
const { isKnown } = require('../known')
const { describeError } = require('../outcome')
const { createRequest, end } = require('../request')
const { mustEqual } = require('../wrong-answer')

const turn = () => new Promise((resolve) => setImmediate(resolve))
const tick = () => new Promise((resolve) => process.nextTick(resolve))

const LIB = path.join(__dirname, '..', '..', '..', 'lib', path.sep)
const MOST_TURNS = 8 // from the end of the script to the call of `next`

/** A request, the parser that is to read it, and what came of it. */
class Side {
  asked = false // has the parser been called?
  calls = 0
  crash = null // what would have ended the process
  error = null
  body = undefined

  constructor (parsers, { parser, options, headers }) {
    this.middleware = parsers[parser](parser === 'json' ? { ...options, strict: false } : options)
    this.req = createRequest(headers)
    this.before = listenersOf(this.req)
  }

  parse () {
    this.asked = true
    this.middleware(this.req, {}, (error) => {
      this.calls++
      this.error = describeError(error)
      this.body = this.req.body
    })
  }

  get outcome () {
    const { calls, crash, error, body } = this
    return { calls, crash, error, body, left: calls > 0 && listenersOf(this.req) > this.before }
  }
}

function listenersOf (req) {
  return ['aborted', 'close', 'data', 'end', 'error', 'pause', 'readable', 'resume'].reduce((sum, name) => sum + req.listenerCount(name), 0)
}

// Strings among the Buffers make body-parser's reading crash, and Node's own,
// also when the input that did it is over.
let mixing = null // the other side of the latest input that set an encoding

process.on('uncaughtException', (error) => {
  if (mixing === null || error.stack.includes(LIB)) throw error
  mixing.crash = error.message
})

async function run (bytes) {
  const script = readScript(bytes)
  const ours = new Side(subject, script)
  const theirs = new Side(bodyParser, script)
  if (script.steps.some(({ act }) => act === 'setEncoding')) mixing = theirs
  const about = () => `${script.parser}(${JSON.stringify(script.options)}), ${JSON.stringify(script.headers)}: ${script.steps.map(({ act, size }) => size === undefined ? act : `${act} ${size}`).join(', ')}`

  for (const step of script.steps) {
    if (step.act === 'tick') await tick()
    else if (step.act === 'turn') await turn()
    else if (!actOnBoth(ours, theirs, step)) return
  }
  // What the script has left open, its client ends by going away.
  for (const last of [() => {}, ({ req }) => { if (!req.complete && !req.destroyed) reset(req) }]) {
    last(ours)
    last(theirs)
    for (let left = MOST_TURNS; left > 0 && (ours.calls === 0 || theirs.calls === 0); left--) await turn()
    await turn()
  }
  mustEqual(ours.outcome.left, false, () => `listeners left by ${about()}`)
  if (!isKnown(ours.outcome, theirs.outcome, script)) mustEqual(ours.outcome, { ...theirs.outcome, left: false }, about)
}

/** @returns {boolean} false where Node's own streams crash: what they are left in tells nothing */
function actOnBoth (ours, theirs, step) {
  try {
    for (const side of [ours, theirs]) act(side, step)
    return true
  } catch (error) {
    if (!error.stack.split('\n')[1].includes('node:internal/streams') || error.stack.includes(LIB)) throw error
    return false
  }
}

function act (side, { act, piece, size }) {
  const { req } = side
  const isOpen = !req.complete && !req.destroyed
  switch (act) {
    case 'parse': return side.parse()
    case 'push': if (isOpen) req.push(piece); return
    case 'end': if (isOpen) end(req); return
    case 'reset': if (isOpen) reset(req); return
    case 'destroy': req.destroy(); return
    case 'pause': req.pause(); return
    case 'resume': req.resume(); return
    case 'setEncoding': req.setEncoding('utf8'); return
    case 'unshift': if (isOpen && !side.asked) req.unshift(piece); return // later it would be a body of one's own making
    case 'read': req.read(size)
  }
}

/** As Node's server does when the connection goes. */
function reset (req) {
  req.destroy(Object.assign(new Error('aborted'), { code: 'ECONNRESET' }))
}

module.exports = {
  words: [],
  seeds: [
    [0, 5, ACTS.indexOf('parse'), 0x40, 4], [0, 5, 0, 4], [1, 0, 0x40, 3, 0x40, 3, 4], [2, 0, 0x10, 3, 3, 4], [4, 200, 0xF0], [8, 0, 0xF0, 3, 4],
    [0, 5, 0x40, 5], [0, 0, 0x40, 3, 6], [0, 0, 0x40, 7, 4], [0, 0, 9, 0x40, 4], [3, 4, 0x40, 2, 4]
  ].map((bytes) => String.fromCharCode(...bytes)),
  longest: 48,
  run
}
