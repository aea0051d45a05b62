'use strict'

// What is left if a parser does nothing but collect and parse.

const querystring = require('node:querystring')

exports.json = () => bare((bytes) => JSON.parse(bytes.toString()))
exports.urlencoded = () => bare((bytes) => querystring.parse(bytes.toString()))
exports.text = () => bare((bytes) => bytes.toString())
exports.raw = () => bare((bytes) => bytes)

function bare (parse) {
  return (req, res, next) => {
    const chunks = []
    req.on('data', (chunk) => { chunks.push(chunk) })
    req.on('end', () => {
      try {
        req.body = parse(Buffer.concat(chunks))
      } catch (error) {
        return next(error)
      }
      next()
    })
  }
}
