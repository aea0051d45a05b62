'use strict'

// npm run bench: what is measured is the first argument.

const { fail, oneOf } = require('../tools/command-line')
const benchCommand = require('./command')
const memory = require('./suites/memory')
const multipart = require('./suites/multipart')
const records = require('./suites/records')
const requests = require('./suites/requests')
const web = require('./suites/web')

const suites = { ...memory, ...multipart, ...records, ...web }
const [, , name = '--'] = process.argv

if (name.startsWith('-')) {
  benchCommand(requests)
} else {
  try {
    oneOf(Object.keys(suites))(name)
  } catch (error) {
    fail(error)
  }
  process.argv.splice(2, 1)
  benchCommand(suites[name])
}
