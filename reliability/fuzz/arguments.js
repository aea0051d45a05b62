'use strict'

const fs = require('node:fs')
const { parseArgs } = require('node:util')

const FLAGS = {
  cases: { type: 'string', value: 'N', help: 'how many (10000)' },
  seed: { type: 'string', value: 'S', help: 'of the first 100 cases, the next 100 have S + 1; by default of the clock' },
  jobs: { type: 'string', value: 'N', help: 'processes (1)' },
  path: { type: 'string', value: 'P', help: 'one case again, as a report names it' },
  'go-on': { type: 'boolean', help: 'do not stop at the first difference' },
  subject: { type: 'string', value: 'FILE', help: 'a module to test instead of this package' },
  quiet: { type: 'boolean', help: 'no progress' },
  help: { type: 'boolean', help: 'this text' }
}

/** Something on the command line that the user can mend. */
class WrongFlag extends Error {}

/**
 * @param {string[]} args the command line
 * @returns {{ cases: number, seed: number, jobs: number, path: string | undefined, goOn: boolean, subject: string | undefined, quiet: boolean, help: boolean }}
 * @throws {WrongFlag}
 */
function readArguments (args) {
  const { values } = parse(args)
  return {
    cases: readWhole('--cases', values.cases ?? '10000', 1, 1e9),
    seed: readWhole('--seed', values.seed ?? String(Date.now() % 1e9), 0, 2 ** 31 - 1),
    jobs: readWhole('--jobs', values.jobs ?? '1', 1, 64),
    path: readPath(values.path, values.seed),
    goOn: values['go-on'] === true,
    subject: readSubject(values.subject),
    quiet: values.quiet === true,
    help: values.help === true
  }
}

function parse (args) {
  try {
    return parseArgs({ args, options: FLAGS, strict: true, allowPositionals: false })
  } catch (error) {
    throw new WrongFlag(error.message.split('. ')[0])
  }
}

function readWhole (flag, text, least, most) {
  const number = Number(text)
  if (text.trim() === '' || !Number.isInteger(number) || number < least || number > most) {
    throw new WrongFlag(`${flag} must be a whole number from ${least} to ${most}, not ${JSON.stringify(text)}`)
  }
  return number
}

function readPath (path, seed) {
  if (path === undefined) return undefined
  if (!/^\d+(:\d+)*$/.test(path)) throw new WrongFlag(`--path must be numbers with colons between, not ${JSON.stringify(path)}`)
  if (seed === undefined) throw new WrongFlag('--path needs the --seed that was printed with it')
  return path
}

function readSubject (file) {
  if (file !== undefined && !fs.existsSync(file)) throw new WrongFlag(`--subject: there is no ${file}`)
  return file
}

function helpText () {
  const names = Object.entries(FLAGS).map(([name, { value, help }]) => [`  --${name}${value === undefined ? '' : `=${value}`}`, help])
  const width = Math.max(...names.map(([name]) => name.length))
  return names.map(([name, help]) => `${name.padEnd(width)}  ${help}\n`).join('')
}

module.exports = { helpText, readArguments, WrongFlag }
