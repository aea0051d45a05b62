// What a CommonJS module gets, from the package and from each subpath.

import bodyParser = require('fast-body-parser')
import json = require('fast-body-parser/json')
import raw = require('fast-body-parser/raw')
import text = require('fast-body-parser/text')
import urlencoded = require('fast-body-parser/urlencoded')
import jsonFile = require('fast-body-parser/lib/types/json')
import urlencodedFile = require('fast-body-parser/lib/types/urlencoded.js')

const parser: bodyParser.BodyParser = bodyParser
const middlewares: bodyParser.Middleware[] = [
  parser.json(), parser.raw(), parser.text(), parser.urlencoded(),
  json({ strict: false }), raw({ limit: 1 }), text({ defaultCharset: 'latin1' }), urlencoded({ depth: 0 }),
  jsonFile({ strict: false }), urlencodedFile({ depth: 0 })
]

// @ts-expect-error each subpath takes its own parser's options
raw({ defaultCharset: 'utf-8' })
// @ts-expect-error
urlencodedFile({ strict: false })
// @ts-expect-error there is no such parser
bodyParser.xml()

export = middlewares
