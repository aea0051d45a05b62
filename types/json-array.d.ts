import bodyParser = require('../index.js')

export = bodyParser.jsonArray
