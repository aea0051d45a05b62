'use strict'

const ENCODINGS = { json: 'utf-8', text: 'utf-8' }

/** raw-body and JSON.parse */
module.exports = {
  name: 'raw-body',
  package: 'raw-body',
  checks: ['length', 'limit'],
  supports: ['json', 'raw', 'text', 'lenient', 'length limit', 'byte limit', 'json errors'],

  create (kind, { limit = '100kb' }) {
    const getRawBody = require('raw-body')
    const encoding = ENCODINGS[kind]
    const parse = kind === 'json' ? JSON.parse : (content) => content

    return (req, res, next) => {
      getRawBody(req, { encoding, length: req.headers['content-length'], limit }, (error, content) => {
        if (error) return next(error)
        try {
          req.body = parse(content)
        } catch (error) {
          return next(error)
        }
        next()
      })
    }
  }
}
