import bodyParser = require('../index.js')

export = bodyParser.ndjson
