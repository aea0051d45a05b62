'use strict'

const { runCommand, number } = require('../../../../tools/command-line')
const UserError = require('../../../../tools/user-error')

runCommand({
  usage: 'A command for tests.\n',
  options: { rate: { value: 'N', read: number(1, 10), default: 5, help: 'requests per second' } },
  failureStatus: 2,
  run ({ values }) {
    if (values.rate === 7) throw new UserError('seven is taken')
    if (values.rate === 8) throw new TypeError('a bug')
    process.stdout.write(`${values.rate}\n`)
  }
})
