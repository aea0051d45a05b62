'use strict'

// A command of several programs: its first argument, or a switch, says which of them runs.

const { fail, refuseKeptByNpm } = require('./command-line')
const UserError = require('./user-error')

/**
 * Runs the program that the command line asks for, and takes what asks for it out of the command line,
 * as each program reads the options of its own.
 *
 * @param {Record<string, () => void>} programs by the first argument, such as `ndjson`, or by the switch,
 *   such as `--against=multer`; '' is the one that runs without either
 */
module.exports = function runProgram (programs) {
  const [, , ...args] = process.argv
  const names = Object.keys(programs).filter((name) => name !== '')
  const asked = names.find((name) => name.startsWith('-') ? args.includes(name) : args[0] === name)
  try {
    refuseStray(names, asked, args)
  } catch (error) {
    fail(error)
  }
  if (asked !== undefined) process.argv.splice(process.argv.indexOf(asked, 2), 1)
  programs[asked ?? '']()
}

/** A word, or a switch with another value, which asks for no program; or a switch that npm has kept. */
function refuseStray (names, asked, args) {
  const switches = names.filter((name) => name.startsWith('--')).map((name) => name.slice(2).split('=')[0])
  refuseKeptByNpm(switches)
  const isStray = (arg, i) => (i === 0 && /^\w/.test(arg)) || switches.some((name) => arg.split('=')[0] === `--${name}`)
  const stray = asked === undefined ? args.find(isStray) : undefined
  if (stray === undefined) return
  throw new UserError(`must be one of ${names.join(', ')}, or an option, not ${JSON.stringify(stray)}`)
}
