'use strict'

// Option `empty` of json: what a body of no bytes is, and what `req.body` is
// without content.

const { required, tagOf } = require('../core/checks')
const errors = require('../core/errors')
const { isUnread } = require('../core/request/claims')
const { declaresContent } = require('../core/request/facts')

const isEmpty = (value) => tagOf(value) === '[object Object]' && Object.keys(value).length === 0

/** In an object, as undefined is a value. */
const checkEmpty = required(
  ({ value }) => value === undefined || value === 'error' || isEmpty(value),
  "undefined, {} or 'error'"
)

/** `emptyBody` creates the body of a request without content. */
function setEmptyBody (parser, { empty: { value } }) {
  const isObject = isEmpty(value) // of which each request gets one of its own
  const emptyBody = () => isObject ? {} : undefined
  return { ...parser, emptyBody, parse, skip: [isObject ? fillOnceKnown : fill, ...parser.skip] }

  function parse (text, ...rest) {
    if (text !== '') return parser.parse(text, ...rest)
    if (value === 'error') throw errors.create(400, 'request entity empty', { type: 'entity.empty' })
    return emptyBody()
  }

  /** For a request that the parser skips. */
  function fill (proceed, mayHaveContent = declaresContent) {
    return (exchange) => {
      const { req } = exchange
      let isAbsent
      try {
        isAbsent = req.body === undefined && !mayHaveContent(req.headers, req)
      } catch (error) { // a getter of the app's
        exchange.fail(errors.thrown(error))
        return
      }
      if (!isAbsent || exchange.setField('body', emptyBody())) proceed(exchange)
    }
  }

  /** Tunnels and meshes send a request without content, which has no type, in chunks. */
  function fillOnceKnown (proceed) {
    const createContentStage = require('../core/body/content-stage') // which /web does not compose, nor bundles have
    const fillNow = fill(proceed)
    const awaitContent = createContentStage(proceed)(fill(proceed, () => false))
    return (exchange) => isUntyped(exchange.req) ? awaitContent(exchange) : fillNow(exchange)
  }
}

const isUntyped = (req) => !req.headers['content-type'] && isUnread(req)

module.exports = { checkEmpty, setEmptyBody }
