'use strict'

// The command line: arguments become a report and an exit code.

const path = require('node:path')
const { parseArgs } = require('node:util')
const adviceOf = require('./advice')
const { judge, readExpectation } = require('./judge')
const { findProject } = require('./project')
const { findUses } = require('./uses')
const textOf = require('./text')

const HELP = `Usage: npx fast-body-parser [folder] [--expect[=body-parser,multer]] [--json]

Says which body-parser and which multer Express, NestJS, Koa and every other package of a
project get, from where and in which version; whether an override took effect; where there
are two copies; and what to write into package.json. It reads files and changes nothing.

  folder        of the project, or one inside it (default: this one)
  --expect      exit with 1 unless everything that package.json replaces is replaced
  --expect=...  exit with 1 unless each package gets fast-body-parser in place of these:
                body-parser, multer, with a major version or without one (body-parser@2)
  --json        print the report as JSON
  --help, -h    print this text
`

/**
 * @param {string[]} args
 * @param {string} cwd
 * @returns {{ status: number, text: string }} status: 0, or 1 if something is not as `--expect` says
 * @throws {Error} if the arguments are wrong, or there is no project
 */
function run (args, cwd) {
  const { folder, expect, json, help } = readArguments(args, cwd)
  if (help) return { status: 0, text: HELP }
  const project = findProject(folder)
  const report = judge(project, findUses(project), expect)
  report.advice = adviceOf(project, report)
  const text = json ? `${JSON.stringify(report, null, 2)}\n` : textOf(project, report)
  return { status: expect !== undefined && report.faults.length > 0 ? 1 : 0, text }
}

function readArguments (args, cwd) {
  const options = { json: { type: 'boolean' }, help: { type: 'boolean', short: 'h' } }
  // parseArgs has no options whose value may be left out.
  const expect = args.filter((arg) => /^--expect(=|$)/.test(arg)).at(-1)
  const rest = args.filter((arg) => !/^--expect(=|$)/.test(arg))
  const { values, positionals } = parseArgs({ args: rest, options, allowPositionals: true })
  if (positionals.length > 1) throw new Error(`one folder at a time, not ${positionals.join(' ')}`)
  const expected = expect === undefined ? undefined : readExpectation(expect.slice('--expect='.length))
  return { folder: path.resolve(cwd, positionals[0] ?? '.'), expect: expected, ...values }
}

module.exports = run
