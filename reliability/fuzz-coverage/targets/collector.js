'use strict'

// lib/core/collect.js and drain.js against body-parser: the input is a script of
// what happens to a request before, while and after it is read, and of what
// code beside the parser observes. Both packages get the same steps; the calls of
// `next` and the records of the observers must be equal.

const path = require('node:path')
const bodyParser = require('body-parser')
const subject = { json: require('../../../lib/types/json'), raw: require('../../../lib/types/raw'), text: require('../../../lib/types/text') }
const { isKnown, withoutKnown } = require('../known')
const { listen, listenersOf, observeAfter, observeBefore, patchPrototype, stateOf } = require('../observers')
const { describeError } = require('../outcome')
const { createRequest, end } = require('../request')
const { ACTS, readScript } = require('../script')
const { mustEqual } = require('../wrong-answer')

const turn = () => new Promise((resolve) => setImmediate(resolve))
const tick = () => new Promise((resolve) => process.nextTick(resolve))

const LIB = path.join(__dirname, '..', '..', '..', 'lib', path.sep)
const MOST_TURNS = 8 // from the end of the script to the call of `next`

/** A request, the parser that is to read it, and the outcome. */
class Side {
  parses = 0
  calls = 0
  crash = null // an exception that would have ended the process
  records = []

  constructor (parsers, { parser, options, headers, observers }) {
    this.middleware = parsers[parser](parser === 'json' ? { ...options, strict: false } : options)
    this.observers = observers
    this.req = createRequest(headers)
    this.record = (...values) => this.records.push(values)
  }

  parse () {
    const { req, record, observers } = this
    if (this.parses++ === 0) observeBefore(req, record, observers)
    this.middleware(req, {}, (error) => {
      this.calls++
      this.error = describeError(error)
      record('next', this.error, req.body, stateOf(req))
      if (observers.has('stateLater')) {
        process.nextTick(() => record('tick', stateOf(req)))
        queueMicrotask(() => record('microtask', stateOf(req)))
        setImmediate(() => record('turn', stateOf(req)))
      }
    })
    record('called', req.readableFlowing)
    observeAfter(req, record, observers)
  }

  get outcome () {
    const { calls, crash, parses, records } = this
    return { calls, crash, parses, records }
  }
}

// Strings among the Buffers crash body-parser's reading, and Node's own, also
// after the input that led to it.
let mixing = null // the other side of the latest input that set an encoding

process.on('uncaughtException', (error) => {
  if (mixing === null || error.stack.includes(LIB)) throw error
  mixing.crash = error.message
})

async function run (bytes) {
  const script = readScript(bytes)
  patchPrototype(script.observers.has('prototypeOn'))
  try {
    await compare(script)
  } finally {
    patchPrototype(false)
  }
}

async function compare (script) {
  const ours = new Side(subject, script)
  const theirs = new Side(bodyParser, script)
  if (script.steps.some(({ act }) => act === 'setEncoding')) mixing = theirs
  const about = () => [
    `${script.parser}(${JSON.stringify(script.options)}), ${JSON.stringify(script.headers)}`,
    script.steps.map(({ act, size }) => size === undefined ? act : `${act} ${size}`).join(', '),
    ...(script.observers.size === 0 ? [] : [`observed by ${[...script.observers].join(', ')}`])
  ].join('; ')

  for (const step of script.steps) {
    if (step.act === 'tick') await tick()
    else if (step.act === 'microtask') await null
    else if (step.act === 'turn') await turn()
    else if (!actOnBoth(ours, theirs, step)) return
  }
  // A request that the script leaves open ends because its client leaves.
  for (const last of [() => {}, ({ req }) => { if (!req.complete && !req.destroyed) req.socket.destroy() }]) {
    last(ours)
    last(theirs)
    for (let left = MOST_TURNS; left > 0 && (ours.calls < ours.parses || theirs.calls < theirs.parses); left--) await turn()
    await turn()
  }
  if (isKnown(ours.outcome, theirs.outcome, script)) return
  const [one, other] = withoutKnown(ours.outcome, theirs.outcome, script)
  mustEqual(one, other, about)
  const isObserved = script.observers.size > 0 || script.steps.some(({ act }) => act === 'listen')
  if (!isObserved && ours.calls === ours.parses) mustEqual(listenersOf(ours.req), 0, () => `listeners left by ${about()}`)
}

/** @returns {boolean} false where Node's own streams crash: the state after that has no meaning */
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
  const { req, record } = side
  const isOpen = !req.complete && !req.destroyed && !req.socket.destroyed
  switch (act) {
    case 'parse': return side.parse()
    case 'push': if (isOpen) req.push(piece); return
    case 'end': if (isOpen) end(req); return
    case 'reset': if (isOpen) req.socket.destroy(); return
    case 'destroy': req.destroy(); return
    case 'pause': req.pause(); return
    case 'resume': req.resume(); return
    case 'setEncoding': req.setEncoding('utf8'); return
    case 'unshift': if (isOpen && side.parses === 0) req.unshift(piece); return // later, the app would make up its own body
    case 'answer': if (!req._consumed) req._dump(); return // as Node's server does when the response is finished
    case 'listen': listen(req, record, 'on', 'listener'); return
    case 'read': record('read', String(req.read(size)))
  }
}

const script = (choice, framing, observing, ...steps) => String.fromCharCode(choice, framing, observing, ...steps.map((step) => {
  const [act, size = 0] = [].concat(step)
  return ACTS.indexOf(act) + (size << 4)
}))

module.exports = {
  words: [],
  seeds: [
    script(0, 5, 0, 'parse', ['push', 4], 'end'),
    script(0, 5, 0, ['push', 4], 'end'),
    script(1, 0, 0b00010000, ['push', 4], 'turn', ['push', 4], 'turn', 'end'),
    script(2, 0, 0b00100100, ['push', 1], 'turn', 'turn', 'end'),
    script(4, 200, 0, ['push', 15]),
    script(8, 0, 0b00000001, ['push', 15], 'turn', 'end'),
    script(0, 5, 0b00000010, ['push', 4], 'destroy'),
    script(0, 0, 0b00001000, ['push', 4], 'turn', 'reset'),
    script(0, 0, 0b01000000, ['push', 4], 'pause', 'end'),
    script(0, 0, 0b10000000, 'setEncoding', ['push', 4], 'end'),
    script(3, 4, 0b00100000, 'parse', 'parse', ['push', 3], 'tick', 'end'),
    script(0, 4, 0b00010000, 'answer', ['push', 3], 'turn', 'parse', 'end')
  ],
  longest: 48,
  run
}
