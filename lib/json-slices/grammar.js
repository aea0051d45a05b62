'use strict'

// The grammar of JSON (RFC 8259) over bytes of UTF-8, which may be cut anywhere.
// Builds nothing, so it takes one byte of memory for each open container.

const {
  BACKSLASH, BLANKS, CLOSE_BRACE, CLOSE_BRACKET, COLON, COMMA, OPEN_BRACE, OPEN_BRACKET, QUOTE
} = require('../json-keys/text')

const HEX_DIGITS = '0123456789abcdefABCDEF'
const DIGITS = '0123456789'
const ZERO = 0x30
const MAX_STATES = 64 // the codes from here on are actions
const states = [] // of each state, what has been read of the current token, and where that token stands

/** @param {string} text of the token @param {'value' | 'key' | 'none'} place where it stands */
const addState = (place, text = '') => states.push({ place, text }) - 1

const VALUE = addState('value')
const FIRST_VALUE = addState('none') // behind an opening bracket
const FIRST_KEY = addState('key')
const KEY = addState('key') // behind a comma
const AFTER_KEY = addState('key', '""')
const AFTER_VALUE = addState('none')

const [
  FAULT, OPEN_ARRAY, OPEN_OBJECT, CLOSE_ARRAY, CLOSE_OBJECT, NEXT_CHILD, BEGIN_KEY, END_KEY,
  BEGIN_CHILD // of an object: its colon
] = Array.from({ length: 9 }, (_, index) => MAX_STATES + index)

/** The actions that a user of the grammar may watch. */
const EVENTS = { BEGIN_CHILD, BEGIN_KEY, CLOSE_OBJECT, END_KEY, OPEN_ARRAY, OPEN_OBJECT }

const bitOf = (action) => 1 << action - MAX_STATES

/** @returns {number} the set of these actions, for `watched` */
const setOf = (...actions) => actions.reduce((set, action) => set | bitOf(action), 0)

/** What follows a state and a byte: a state or an action. */
const TABLE = new Uint8Array(MAX_STATES * 256).fill(FAULT)

/** @param {string | number} bytes characters, or one code */
function on (state, bytes, next) {
  const codes = typeof bytes === 'number' ? [bytes] : Array.from(bytes, (character) => character.charCodeAt(0))
  for (const code of codes) TABLE[state << 8 | code] = next
}

/** Gives a state what follows another one. */
const copy = (from, to) => TABLE.copyWithin(to << 8, from << 8, (from + 1) << 8)

/** @returns {number} the state within a string */
function addString (place, end) {
  const inside = addState(place, '"')
  const escape = addState(place, '"\\')
  for (let byte = 0x20; byte < 0x100; byte++) on(inside, byte, inside)
  on(inside, QUOTE, end)
  on(inside, BACKSLASH, escape)
  on(escape, '"\\/bfnrt', inside)
  let state = escape
  let digits = 'u'
  for (let text = '"\\u'; text.length < 7; text += '0') { // its four digits
    const next = addState(place, text)
    on(state, digits, next)
    digits = HEX_DIGITS
    state = next
  }
  on(state, digits, inside)
  return inside
}

function addWord (word) {
  let state = VALUE
  for (let length = 1; length < word.length; length++) {
    const next = addState('value', word.slice(0, length))
    on(state, word[length - 1], next)
    state = next
  }
  on(state, word.at(-1), AFTER_VALUE)
}

function addNumbers () {
  const [minus, zero, integer, point, fraction, e, sign, exponent] =
    ['-', '0', '1', '1.', '1.1', '1e', '1e+', '1e1'].map((text) => addState('value', text))
  on(VALUE, '-', minus)
  on(VALUE, DIGITS, integer)
  on(VALUE, ZERO, zero)
  // A number ends where the next token, or white space, begins.
  for (const state of [zero, integer, fraction, exponent]) copy(AFTER_VALUE, state)
  for (const [state, next] of [[minus, integer], [integer, integer], [point, fraction], [fraction, fraction],
    [e, exponent], [sign, exponent], [exponent, exponent]]) on(state, DIGITS, next)
  on(minus, ZERO, zero)
  on(e, '+-', sign)
  for (const state of [zero, integer]) on(state, '.', point)
  for (const state of [zero, integer, fraction]) on(state, 'eE', e)
}

for (let state = VALUE; state <= AFTER_VALUE; state++) on(state, BLANKS, state)
on(VALUE, OPEN_BRACKET, OPEN_ARRAY)
on(VALUE, OPEN_BRACE, OPEN_OBJECT)
on(VALUE, QUOTE, addString('value', AFTER_VALUE))
on(FIRST_KEY, CLOSE_BRACE, CLOSE_OBJECT)
for (const state of [FIRST_KEY, KEY]) on(state, QUOTE, BEGIN_KEY)
on(AFTER_KEY, COLON, BEGIN_CHILD)
on(AFTER_VALUE, COMMA, NEXT_CHILD)
on(AFTER_VALUE, CLOSE_BRACKET, CLOSE_ARRAY)
on(AFTER_VALUE, CLOSE_BRACE, CLOSE_OBJECT)
const IN_KEY = addString('key', END_KEY)
for (const word of ['true', 'false', 'null']) addWord(word)
addNumbers()
copy(VALUE, FIRST_VALUE)
on(FIRST_VALUE, BLANKS, FIRST_VALUE)
on(FIRST_VALUE, CLOSE_BRACKET, CLOSE_ARRAY)

class Grammar {
  /** @param {number} maxDepth how deep containers may nest */
  constructor (maxDepth) {
    this.maxDepth = maxDepth
    this.state = VALUE
    this.depth = 0
    this.closers = new Uint8Array(16) // of the open containers: the action that closes each
    this.isFirstChild = true // whether no comma has followed in the container: JSON.parse tells another error of a key
    this.watchedDepth = 0 // `read` stops behind an action of `watched` in a container up to this depth
    this.watched = 0 // a set of actions: not all, as an object may have an action for each byte or two
    this.event = null // the action that `read` has stopped at, or FAULT
    this.isTooDeep = false // why `read` has stopped at FAULT: the text may be JSON, but nests too deep
  }

  /** @returns {Grammar} one that expects an item of an array: the first one, or one behind a comma */
  static inArray (isFirst) {
    const grammar = new Grammar(Infinity)
    grammar.apply(OPEN_ARRAY)
    if (!isFirst) grammar.state = VALUE
    return grammar
  }

  /** Goes on as if a value had been read. */
  skipValue () {
    this.state = AFTER_VALUE
  }

  /**
   * @returns {number} the index behind the event, or of the fault; `end` without either
   */
  read (bytes, start, end) {
    let { state } = this
    this.event = null
    for (let at = start; at < end; at++) {
      const next = TABLE[state << 8 | bytes[at]]
      if (next < MAX_STATES) {
        state = next
        continue
      }
      this.state = state
      const { depth } = this
      if (!this.apply(next)) {
        this.event = FAULT
        return at
      }
      if (depth <= this.watchedDepth && (this.watched & bitOf(next)) !== 0) {
        this.event = next
        return at + 1
      }
      state = this.state
    }
    this.state = state
    return end
  }

  /** @returns {boolean} false for a fault */
  apply (action) {
    switch (action) {
      case OPEN_ARRAY: return this.open(CLOSE_ARRAY, FIRST_VALUE)
      case OPEN_OBJECT: return this.open(CLOSE_OBJECT, FIRST_KEY)
      case CLOSE_ARRAY:
      case CLOSE_OBJECT: return this.close(action)
      case NEXT_CHILD: return this.nextChild()
      case BEGIN_KEY: return this.proceed(IN_KEY)
      case END_KEY: return this.proceed(AFTER_KEY)
      case BEGIN_CHILD: return this.proceed(VALUE)
      default: return false
    }
  }

  proceed (state) {
    this.state = state
    return true
  }

  nextChild () {
    if (this.depth === 0) return false
    this.isFirstChild = false
    return this.proceed(this.isInObject ? KEY : VALUE)
  }

  open (closer, state) {
    const { closers, depth } = this
    this.isTooDeep = depth >= this.maxDepth
    if (this.isTooDeep) return false
    if (depth === closers.length) {
      this.closers = new Uint8Array(depth * 2)
      this.closers.set(closers)
    }
    this.closers[depth] = closer
    this.depth++
    this.isFirstChild = true
    return this.proceed(state)
  }

  close (closer) {
    if (this.depth === 0 || this.closers[this.depth - 1] !== closer) return false
    this.depth--
    return this.proceed(AFTER_VALUE)
  }

  get isInObject () {
    return this.closers[this.depth - 1] === CLOSE_OBJECT
  }

  /** Whether a JSON text may end here. A number at its end is complete as soon as a space may follow. */
  get isComplete () {
    return this.depth === 0 && TABLE[this.state << 8 | 0x20] === AFTER_VALUE
  }

  /** A text after which JSON.parse expects the same as this grammar does now. */
  get prefix () {
    const { state } = this
    const { place, text } = states[state]
    const child = this.depth === 0 ? '' : this.isInObject ? '{"":' : '['
    if (place === 'key') return (this.isFirstChild ? '{' : '{"":0,') + text
    if (state === FIRST_VALUE) return child
    if (state === AFTER_VALUE) return `${child}""`
    return (child === '[' ? '[0,' : child) + text
  }
}

module.exports = { EVENTS, FAULT, Grammar, setOf }
