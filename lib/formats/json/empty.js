'use strict'

// Option `empty` of json: what a body of no bytes is, and what `req.body` is
// without content.

const errors = require('../../core/errors')
const { hasContent } = require('../../core/request/facts')

/** Changes a parser that is being composed; its `emptyBody` creates the body of a request without content. */
module.exports = function extendParser (parser, { empty: { value } }) {
  const emptyBody = () => Object(value) === value ? {} : undefined
  return { ...parser, emptyBody, parse, skip: [fill, ...parser.skip] }

  function parse (text, ...rest) {
    if (text !== '') return parser.parse(text, ...rest)
    if (value === 'error') throw errors.create(400, 'request entity empty', { type: 'entity.empty' })
    return emptyBody()
  }

  /** For a request that the parser skips. */
  function fill (proceed) {
    return (exchange) => {
      const { req } = exchange
      try {
        if (req.body === undefined && !hasContent(req.headers, req)) req.body = emptyBody()
      } catch (error) { // a getter or setter of the app's
        exchange.fail(errors.thrown(error))
        return
      }
      proceed(exchange)
    }
  }
}
