'use strict'

// One way to read a command line: a table of options becomes values, --help and errors.

const path = require('node:path')
const { parseArgs } = require('node:util')
const { killOnExit } = require('./child-process')
const UserError = require('./user-error')

/**
 * @typedef {object} Option
 * @property {string} help one line; the default is added to it
 * @property {string} [value] stands for the value in the help. An option without one is a switch
 * @property {string} [short] one letter
 * @property {boolean} [multiple] may be repeated: `read` is then called with a list of texts
 * @property {(text: string | string[]) => unknown} [read] converts the text, or throws a UserError whose message
 *   continues `--name `, such as `must be a number from 1 to 5`
 * @property {unknown} [default] value, or a function that gives it, if the option is not given; null if there is none
 */

const FAILED = 2 // exit status
const HELP = { help: { short: 'h', help: 'this text' } }

/**
 * @param {string[]} args the command line
 * @param {Record<string, Option>} options by name
 * @returns {{ values: Record<string, any>, given: Set<string> }} values by name in camel case; the
 *   names that the user gave
 * @throws {UserError} what is wrong, in one line
 */
function readOptions (args, options) {
  const all = Object.entries({ ...options, ...HELP })
  const parsed = parse(args, all)
  const camelCase = (name) => name.replace(/-(\w)/g, (_, letter) => letter.toUpperCase())
  return {
    values: Object.fromEntries(all.map(([name, option]) => [camelCase(name), valueOf(name, option, parsed[name])])),
    given: new Set(Object.keys(parsed))
  }
}

function parse (args, options) {
  const types = Object.fromEntries(options.map(([name, { value, short, multiple = false }]) =>
    [name, { type: value === undefined ? 'boolean' : 'string', multiple, ...short && { short } }]))
  try {
    return parseArgs({ args, options: types, allowNegative: true }).values
  } catch (error) {
    throw new UserError(`${error.message.split('. ')[0]}; --help lists the options`)
  }
}

function valueOf (name, { value, read = (text) => text, default: fallback }, given) {
  if (value === undefined) return given ?? fallback ?? false
  if (given === undefined) return (typeof fallback === 'function' ? fallback() : fallback) ?? null
  try {
    return read(given)
  } catch (error) {
    throw error instanceof UserError ? new UserError(`--${name} ${error.message}`) : error
  }
}

/** @returns {string} the options, one a line */
function helpText (options) {
  const all = Object.entries({ ...options, ...HELP })
  const lines = all.map(([name, { short, value, help, default: fallback }]) => {
    const isShown = ['number', 'string'].includes(typeof fallback) && fallback !== ''
    return [
      `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : `=${value}`}`,
      isShown ? `${help} (${fallback})` : help
    ]
  })
  const width = Math.max(...lines.map(([name]) => name.length))
  return lines.map(([name, help]) => `  ${name.padEnd(width)}  ${help}\n`).join('')
}

/** Without `--`, npm keeps options such as --quick: the command would run for minutes without them. */
function refuseKeptByNpm (names) {
  const { env } = process
  const kept = names.find((name) => env[`npm_config_${name.replaceAll('-', '_')}`] !== undefined)
  if (kept === undefined) return
  const line = `npm run ${env.npm_lifecycle_event} -- --${kept}`
  throw new UserError(`npm has kept --${kept} for itself: put -- before it, as in ${line}`)
}

/**
 * Runs a command: prints its help or calls `run`. Errors go to stderr, in one line if the user can correct them, with
 * exit status 2, as 1 means that a fault is found. No child process outlives it.
 *
 * @param {object} command
 * @param {string} command.usage the text above the options in --help
 * @param {Record<string, Option>} command.options
 * @param {(read: ReturnType<typeof readOptions>) => Promise<void> | void} command.run
 */
async function runCommand ({ usage, options, run }) {
  killOnExit()
  process.stdout.on('error', () => process.exit(FAILED)) // the reader of a pipe is gone
  try {
    refuseKeptByNpm(Object.keys(options))
    const read = readOptions(process.argv.slice(2), options)
    if (read.values.help) process.stdout.write(`${usage}\n${helpText(options)}`)
    else await run(read)
  } catch (error) {
    fail(error)
  }
}

function fail (error) {
  const isUsers = error instanceof UserError || error.syscall !== undefined // no permission, no space, no such file
  process.stderr.write(`${isUsers ? `error: ${error.message}` : error.stack}\n`)
  process.exit(FAILED)
}

// Readers for the field `read` of an option.

function number (min, max, pattern = /\S/, kind = 'number') {
  return (text) => {
    const value = Number(text)
    if (pattern.test(text) && value >= min && value <= max) return value
    throw new UserError(`must be a ${kind} from ${min} to ${max}, not ${JSON.stringify(text)}`)
  }
}

const wholeNumber = (min, max) => number(min, max, /^\d+$/, 'whole number')

const oneOf = (names) => (text) => {
  if (names.includes(text)) return text
  throw new UserError(`must be one of ${names.join(', ')}, not ${JSON.stringify(text)}`)
}

const partsOf = (text) => text.split(',').map((part) => part.trim())

/** Names with commas between; each once, in the order in which they are given. */
const someOf = (names) => (texts) => [...new Set(partsOf([texts].flat().join()).map(oneOf(names)))]

/**
 * The items whose name contains the text, or one of several with commas between.
 *
 * @param {{ name: string }[]} items
 * @param {string} one of them in an error, such as `a scenario`
 */
const byPartOfName = (items, one) => (text) => {
  const selected = items.filter(({ name }) => partsOf(text).some((part) => name.includes(part)))
  if (selected.length > 0) return selected
  throw new UserError(`must be part of ${one}'s name, not ${JSON.stringify(text)}; --list names them all`)
}

/** The absolute path of a file with this extension. */
const fileName = (extension) => (text) => {
  if (text.endsWith(extension)) return path.resolve(text)
  throw new UserError(`must be the name of a file that ends in ${extension}`)
}

/** The option `--seed`, from the clock unless it is given. */
const SEED = {
  value: 'N',
  read: wholeNumber(0, 2 ** 31 - 1),
  default: () => Date.now() % 1e9,
  help: 'of all that is random; by default from the clock'
}

module.exports = {
  byPartOfName, fail, fileName, number, oneOf, readOptions, runCommand, SEED, someOf, wholeNumber
}
