'use strict'

// A command of several programs: its first argument, or a switch, says which of them runs.

/**
 * Runs the program that the command line asks for, and takes what asks for it out of the command line,
 * as each program reads the options of its own.
 *
 * @param {Record<string, () => void>} programs by the first argument, such as `stacks`, or by the switch,
 *   such as `--gains`; '' is the one that runs without either
 */
function runProgram (programs) {
  const args = process.argv.slice(2)
  const names = Object.keys(programs).filter((name) => name !== '')
  const asked = names.find((name) => name.startsWith('-') ? args.includes(name) : args[0] === name) ?? ''
  const keys = names.filter((name) => name.includes('=')).map((name) => name.split('=')[0])
  const stray = args.find((arg, i) => (i === 0 && /^\w/.test(arg)) || keys.includes(arg.split('=')[0]))
  if (asked === '' && stray !== undefined) {
    process.stderr.write(`error: must be one of ${names.join(', ')}, or an option, not ${JSON.stringify(stray)}\n`)
    process.exit(2)
  }
  if (asked !== '') process.argv.splice(process.argv.indexOf(asked, 2), 1)
  programs[asked]()
}

module.exports = runProgram
